import { describe, expect, it } from 'vitest'
import { readOffer } from '../../../../local/sandbox/webrtc/offer.ts'
import { offerOf } from './offers.ts'

const replace = (from: string, to: string) => offerOf((line) => line.replace(from, to))

describe('readOffer', () => {
  it('returns the usable codecs in the order of the offer', () => {
    expect(readOffer(offerOf(), 'send')).toEqual({ video: ['H264', 'VP8'], audio: ['OPUS'] })
  })

  it('reads lines that end with a line feed only, and a direction of the whole session', () => {
    const offer = offerOf((line) => (line === 'a=sendonly' ? [] : line === 's=-' ? [line, 'a=sendonly'] : line))
    expect(readOffer(offer.replaceAll('\r\n', '\n'), 'send')).toMatchObject({ audio: ['OPUS'] })
  })

  it('omits a track that is rejected, and data channels', () => {
    const offer = `${replace('m=audio 9', 'm=audio 0')}m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n`
    expect(readOffer(offer, 'send')).toEqual({ video: ['H264', 'VP8'] })
  })

  it.each([
    ['H.264 of another profile', 'profile-level-id=42e01f', 'profile-level-id=640c1f', ['VP8']],
    ['H.264 of another packetization mode', 'packetization-mode=1', 'packetization-mode=0', ['VP8']],
    ['H.264 of plain baseline, as ffmpeg offers it', '42e01f', '42000c', ['H264', 'VP8']],
  ])('treats %s by its parameters', (_, from, to, video) => {
    expect(readOffer(replace(from, to), 'send').video).toEqual(video)
  })

  it.each([
    ['what is not SDP', '{"a":1}', 400, 'not a session description'],
    ['an offer without media', 'v=0\r\ns=-\r\n', 422, 'neither audio nor video'],
    [
      'an offer without a usable codec',
      replace('m=video 9 UDP/TLS/RTP/SAVPF 98 106 96', 'm=video 9 RTP 98'),
      422,
      'VP8',
    ],
    ['an offer of other audio', replace('opus/48000/2', 'G722/8000'), 422, 'no usable codec: offer Opus'],
    ['a second video', offerOf().replace(/m=audio(.*)/, 'm=video$1'), 422, '2 video tracks'],
    ['a subscriber', offerOf().replaceAll('a=sendonly', 'a=recvonly'), 422, 'not sendonly'],
    ['media of another kind', replace('m=audio', 'm=text'), 422, 'the kind text'],
    ['an offer without encryption', offerOf((line) => (line.startsWith('a=fingerprint') ? [] : line)), 422, 'DTLS'],
  ])('refuses %s', (_, offer, status, message) => {
    expect(() => readOffer(offer, 'send')).toThrow(
      expect.objectContaining({ status, message: expect.stringContaining(message) }),
    )
  })
})
