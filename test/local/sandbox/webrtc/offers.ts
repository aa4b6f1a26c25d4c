/** Returns the SDP offer of a publisher of one video and one audio, after a change of its lines. */
export function offerOf(change: (line: string) => string | readonly string[] = (line) => line): string {
  const lines = [
    ...['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1'],
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    ...['a=ice-ufrag:abcd', 'a=ice-pwd:abcdefghijklmnopqrstuvwx', 'a=setup:actpass'],
    ...['m=audio 9 UDP/TLS/RTP/SAVPF 111 0', 'c=IN IP4 0.0.0.0', 'a=mid:0', 'a=sendonly', 'a=rtcp-mux'],
    ...['a=rtpmap:111 opus/48000/2', 'a=rtpmap:0 PCMU/8000'],
    ...['m=video 9 UDP/TLS/RTP/SAVPF 98 106 96', 'c=IN IP4 0.0.0.0', 'a=mid:1', 'a=sendonly', 'a=rtcp-mux'],
    ...['a=rtpmap:98 VP9/90000', 'a=rtpmap:106 H264/90000'],
    'a=fmtp:106 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
    'a=rtpmap:96 VP8/90000',
  ]
  return `${lines.flatMap(change).join('\r\n')}\r\n`
}
