import type { ErrorStatus } from '../../../lib/platform/contract/operation.ts'

/** A request that is answered with an error; the message goes out as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: ErrorStatus
  /** The body's `code`: the status, except for a few causes of startComposer. */
  readonly code: number

  constructor(status: ErrorStatus, message: string, code: number = status) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * What can be wrong with a token: there is none; it cannot be read or claims what it must not; nobody who may sign has
 * its key; another secret signed it; or it can be read but not be relied on (too old, too long, another algorithm).
 */
export type TokenProblem = 'missing' | 'malformed' | 'unknownKey' | 'wrongSecret' | 'unreliable'

/** A request whose token is refused with 403; Insights have a code for each problem. */
export class TokenRefusal extends Refusal {
  readonly problem: TokenProblem

  constructor(problem: TokenProblem, message: string) {
    super(403, message)
    this.problem = problem
  }
}
