import { Refusal } from '../http/refusal.ts'

/** Thrown for a request that a WebRTC door answers with a problem body (RFC 9457) and its headers. */
export class DoorProblem extends Refusal {
  readonly headers: Readonly<Record<string, string>>

  constructor(status: Refusal['status'], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(status, message)
    this.headers = headers
  }
}
