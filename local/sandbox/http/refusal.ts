import type { ErrorStatus } from '../../../lib/platform/contract/operation.ts'

/** Statuses of the platform's operations, of the WebRTC doors beside them (RFC 9725), and of playlists. */
type RefusalStatus = ErrorStatus | 401 | 406 | 415 | 422 | 501 | 503

/** Thrown for a request that is answered with an error; the message is sent as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: RefusalStatus
  /** The body's `code`: the status, except for a few causes of startComposer. */
  readonly code: number

  constructor(status: RefusalStatus, message: string, code: number = status) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * Problem of a token: it is missing; it cannot be read or has forbidden claims; its key is unknown; another secret signed
 * it; or it is unreliable (too old, too long, another algorithm).
 */
export type TokenProblem = 'missing' | 'malformed' | 'unknownKey' | 'wrongSecret' | 'unreliable'

/** Thrown for a request whose token is refused with 403; Insights have a code for each problem. */
export class TokenRefusal extends Refusal {
  readonly problem: TokenProblem

  constructor(problem: TokenProblem, message: string) {
    super(403, message)
    this.problem = problem
  }
}
