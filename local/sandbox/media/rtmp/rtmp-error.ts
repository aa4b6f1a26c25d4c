/** Thrown when the server of an RTMP output cannot be reached, refuses, violates the protocol, or is lost. */
export class RtmpError extends Error {
  override readonly name = 'RtmpError'
}
