import type { ErrorStatus } from '../../lib/platform/contract/operation.ts'

/** A request that is answered with an error; the message goes out as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: ErrorStatus

  constructor(status: ErrorStatus, message: string) {
    super(message)
    this.status = status
  }
}
