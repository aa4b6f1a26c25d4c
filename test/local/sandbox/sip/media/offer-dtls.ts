import type { CallMedia } from '../../../../../local/sandbox/sip/call-media.ts'

/** Returns a fingerprint that no certificate has. */
export const noFingerprint = Array(32).fill('AB').join(':')

const SECTION = ['m=audio 9 UDP/TLS/RTP/SAVP 96 0 8', 'a=rtpmap:96 opus/48000/2']

/** Returns an offer of DTLS-SRTP with every codec. @param lines attributes of the section */
export const dtlsOffer = (...lines: string[]) =>
  ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', ...SECTION, ...lines, ''].join('\r\n')

/** Lets a side offer DTLS-SRTP, which it does only after the other side has. Returns its offer. */
export async function offerDtls(media: Pick<CallMedia, 'answer' | 'reoffer'>, hasVideo = false): Promise<string> {
  const protection = ['a=setup:actpass', `a=fingerprint:sha-256 ${noFingerprint}`]
  const video = ['m=video 9 UDP/TLS/RTP/SAVP 97', 'a=rtpmap:97 H264/90000', ...protection]
  await media.answer(dtlsOffer(...protection, ...(hasVideo ? video : [])))
  return media.reoffer('sendrecv')
}
