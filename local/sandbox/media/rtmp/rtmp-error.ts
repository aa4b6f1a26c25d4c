/** What ends an RTMP output from outside: the server cannot be reached, refuses, breaks the protocol, or is lost. */
export class RtmpError extends Error {
  override readonly name = 'RtmpError'
}
