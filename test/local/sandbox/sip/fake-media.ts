import type { CallMedia } from '../../../../local/sandbox/sip/call-media.ts'

export const OFFER =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\n'
export const ANSWER = OFFER.replace('40000', '50000')

/** Creates media that records what it is asked. SDP that contains `refuse` is not acceptable. */
export function createFakeMedia(): CallMedia & { readonly asked: string[] } {
  const asked: string[] = []
  const note = async (line: string, sdp: string) => {
    asked.push(line)
    if (sdp.includes('refuse')) throw new Error('No codec is left.')
  }
  return {
    asked,
    offer: async () => OFFER,
    accept: (sdp) => note('accept', sdp),
    reoffer(direction) {
      asked.push(`reoffer ${direction}`)
      return `${OFFER}a=${direction}\r\n`
    },
    answer: (sdp) => note('answer', sdp).then(() => ANSWER),
    close: () => void asked.push('close'),
  }
}
