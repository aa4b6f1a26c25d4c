import type { ErrorStatus } from '../../lib/platform/contract/operation.ts'

/** A request that is answered with an error; the message goes out as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: ErrorStatus
  /** The body's `code`: the status, but for the few causes that have one of their own (E27). */
  readonly code: number

  constructor(status: ErrorStatus, message: string, code: number = status) {
    super(message)
    this.status = status
    this.code = code
  }
}
