import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { findOperation } from '../../../lib/platform/contract/operations/find-operation.ts'
import type { OperationName } from '../../../lib/platform/contract/operations/operations.ts'
import { operations } from '../../../lib/platform/contract/operations/operations.ts'
import type { SandboxParts } from '../parts.ts'
import type { Perform } from './perform.ts'
import { Refusal } from './refusal.ts'
import { errorBody, type LogLine, MAX_BODY_BYTES, REQUEST_ID } from './router.ts'

/** A call of an operation without HTTP. Names of headers are in lower case. */
export interface DirectRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface DirectResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** Answers calls of a project's operations as the router does, for a simulation that makes very many. */
export type AnswerDirectly = ReturnType<typeof createDirectAnswers>

export function createDirectAnswers({
  perform,
  faults,
  ids,
  clock,
  log,
}: Pick<SandboxParts, 'clock' | 'ids' | 'faults'> & {
  perform: Perform
  log?: ((line: LogLine) => void) | undefined
}) {
  const answer = async (
    name: OperationName,
    request: DirectRequest,
    path: Readonly<Record<string, string>>,
  ): Promise<DirectResponse> => {
    const { method, url, body = '' } = request
    const requestId = ids.uuid()
    const start = clock.now()
    const respond = (status: number, answered: unknown, failure: { error?: string } = {}): DirectResponse => {
      log?.({ requestId, method, operation: name, status, ms: clock.now() - start, ...failure })
      const text = answered === undefined ? '' : JSON.stringify(answered)
      return { status, headers: new Map([...JSON_TYPE, [REQUEST_ID, requestId]]), text }
    }
    try {
      const read = { url, headers: headersOf(request), text: async () => body }
      const { status } = (operations[name] as Operation).success
      const answered = await perform(name, read, path, faults.take(name))
      return respond(status, status === 204 ? answered : (answered ?? {}))
    } catch (error) {
      if (error instanceof Refusal) return respond(error.status, errorBody(error.code, error.message))
      return respond(500, errorBody(500, 'The sandbox failed.'), { error: (error as Error).name })
    }
  }

  /** Returns undefined for a call that needs HTTP: of another operation, or under an ordered fault. */
  return (request: DirectRequest): Promise<DirectResponse> | undefined => {
    const found = findOperation(request.method, request.url)
    if (!found || (request.body?.length ?? 0) > MAX_BODY_BYTES / MAX_BYTES_OF_CHARACTER) return undefined
    const { credentials, base }: Operation = operations[found.name]
    const fault = faults.peek(found.name)
    if (credentials === 'account' || base === 'insights' || (fault && fault.type !== 'listLag')) return undefined
    return answer(found.name, request, found.path)
  }
}

const JSON_TYPE = [['content-type', 'application/json']] as const

/** In UTF-8. */
const MAX_BYTES_OF_CHARACTER = 3

const headersOf = ({ headers }: DirectRequest) => ({
  get: (name: string) => headers[name] ?? headers[name.toLowerCase()] ?? null,
  keys: () => Object.keys(headers).values(),
})
