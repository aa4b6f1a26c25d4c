import type { ReceivedRequest, SentResponse } from '../../lib/platform/contract/operation.ts'
import type { OperationName, Operations } from '../../lib/platform/contract/operations/operations.ts'
import type { AccountRecord, ProjectRecord } from './state/records.ts'

/** Context of an operation that a project's credentials sign, besides its validated request. */
export interface ProjectContext {
  readonly project: ProjectRecord
  /** The body as it was sent. */
  readonly submitted: unknown
}

/** Context of an operation that the account's credentials sign. */
export interface AccountContext {
  readonly account: AccountRecord
  readonly submitted: unknown
}

type ContextOf<O> = O extends { credentials: 'account' } ? AccountContext : ProjectContext
type Handler<O> = (request: ReceivedRequest<O>, context: ContextOf<O>) => SentResponse<O> | Promise<SentResponse<O>>

/** Handlers of the named operations, typed by the contract: a missing one does not compile. */
export type Handlers<Name extends OperationName = OperationName> = { readonly [N in Name]: Handler<Operations[N]> }
