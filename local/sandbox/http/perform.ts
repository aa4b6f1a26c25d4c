import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import type { AccountContext, Handlers, ProjectContext } from '../handler.ts'
import type { SandboxParts } from '../parts.ts'
import type { Authentication } from './authentication.ts'
import { listAsOf } from './fault-injection.ts'
import type { Fault } from './faults.ts'
import { Refusal } from './refusal.ts'
import { type ReadRequest, type RequestHeaders, receive } from './validation.ts'

/** Performs an operation for an authenticated caller. Rejects with a {@link Refusal} that is answered as it is. */
export type Perform = ReturnType<typeof createPerform>

export function createPerform({
  handlers,
  authentication,
  clock,
}: Pick<SandboxParts, 'clock'> & { handlers: Handlers; authentication: Authentication }) {
  return async (
    name: OperationName,
    request: ReadRequest,
    path: Readonly<Record<string, string>>,
    fault: Fault | undefined,
  ): Promise<unknown> => {
    const operation: Operation = operations[name]
    const handle = handlers[name] as unknown as (request: unknown, context: ProjectContext | AccountContext) => unknown
    const caller = identify(authentication, operation, request.headers, path.apiKey)
    const { submitted, ...received } = await receive(operation, request)
    const act = (query: unknown) =>
      handle({ ...apiKeyOf(caller), ...path, ...received, query }, { ...caller, submitted })
    return fault?.type === 'listLag' ? listAsOf(clock.now() - fault.ms, act, received.query) : act(received.query)
  }
}

type Caller = Omit<ProjectContext, 'submitted'> | Omit<AccountContext, 'submitted'>

/**
 * Returns the project or account that signed a request. A project must be the one in the path.
 * @throws {@link Refusal} 403
 */
function identify(
  { authenticate, authenticateAccount }: Authentication,
  { credentials }: Operation,
  headers: RequestHeaders,
  apiKey: string | undefined,
): Caller {
  if (credentials === 'account') return { account: authenticateAccount(headers) }
  const project = authenticate(headers)
  if (apiKey !== undefined && apiKey !== project.id)
    throw new Refusal(403, 'The token’s iss is not the API key in the path.')
  return { project }
}

const apiKeyOf = (caller: Caller) => 'project' in caller && { apiKey: caller.project.id }
