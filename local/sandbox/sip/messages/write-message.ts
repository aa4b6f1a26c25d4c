import { isRequest, type SipMessage } from './message.ts'

/** Writes a message with its Content-Length. */
export function writeMessage(message: SipMessage): string {
  const start = isRequest(message)
    ? `${message.method} ${message.uri} SIP/2.0`
    : `SIP/2.0 ${message.status} ${message.reason}`
  const fields = message.headers.map(({ name, value }) => `${name}: ${value}`)
  return [start, ...fields, `Content-Length: ${Buffer.byteLength(message.body)}`, '', message.body].join('\r\n')
}
