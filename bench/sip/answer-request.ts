/**
 * Answers a request of SIP as a phone that takes each call at once: G.711 µ-law at a port of 127.0.0.1.
 * @param portOf returns the audio port of a user, which is a number
 */
export function answerRequest(
  request: string,
  portOf: (user: number) => number,
): {
  /** Absent for an ACK. */
  readonly reply?: string
  readonly user: number
  /** Port of the caller's audio. */
  readonly target?: number
} {
  const [method = '', uri = ''] = request.split(' ')
  const user = Number(/^sips?:(\d+)@/.exec(uri)?.[1] ?? Number.NaN)
  if (method === 'ACK') return { user }
  const field = (name: string) =>
    [...request.matchAll(new RegExp(`^${name}:.*$`, 'gim'))].map(([line]) => line.trimEnd())
  const [to = ''] = field('To')
  const isInvite = method === 'INVITE'
  const lines = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0']
  const body = isInvite ? `${[...lines, `m=audio ${portOf(user)} RTP/AVP 0`].join('\r\n')}\r\n` : ''
  const port = /^m=audio (\d+)/m.exec(request)?.[1]
  const reply = [
    'SIP/2.0 200 OK',
    ...field('Via'),
    ...field('From'),
    /;tag=/i.test(to) ? to : `${to};tag=phone-${user}`,
    ...field('Call-ID'),
    ...field('CSeq'),
    `Contact: <${uri}>`,
    ...(isInvite ? ['Content-Type: application/sdp'] : []),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  return { reply, user, ...(isInvite && port !== undefined && { target: Number(port) }) }
}
