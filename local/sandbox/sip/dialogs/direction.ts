/**
 * Returns true if the peer's SDP puts this side on hold: the first stream that is not refused sends only or is
 * inactive, or has the address 0.0.0.0 of RFC 2543.
 */
export function isHoldOffer(sdp: string): boolean {
  const [session = '', ...streams] = sdp.split(/^(?=m=)/m)
  const stream = streams.find((each) => !/^m=\S+ 0 /.test(each)) ?? ''
  const directionIn = (text: string) => /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(text)?.[1]
  const direction = directionIn(stream) ?? directionIn(session) ?? 'sendrecv'
  const address = /^c=IN IP4 (\S+)/m.exec(stream) ?? /^c=IN IP4 (\S+)/m.exec(session)
  return direction === 'sendonly' || direction === 'inactive' || address?.[1] === '0.0.0.0'
}
