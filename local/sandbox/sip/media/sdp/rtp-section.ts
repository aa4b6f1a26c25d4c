import { readSdes, type SdesKey } from './sdes.ts'
import { type Direction, directionOf, type SdpMedia, valuesOf } from './sdp.ts'

/** Destination and protection of the packets of a section. */
export interface RtpSection {
  readonly address: string
  readonly port: number
  readonly rtcpPort: number
  readonly direction: Direction
  readonly protocol: string
  readonly key: SdesKey | undefined
}

/** Protocols of RTP with and without encryption, with and without feedback. */
const PLAIN = ['RTP/AVP', 'RTP/AVPF']
const ENCRYPTED = ['RTP/SAVP', 'RTP/SAVPF']

/**
 * Reads what a section of audio and one of video have in common.
 * @param secure true if it must be encrypted
 * @throws Error for a section that cannot be used
 */
export function readRtpSection(media: SdpMedia, secure: boolean): RtpSection {
  const isEncrypted = ENCRYPTED.includes(media.protocol)
  if (!isEncrypted && !PLAIN.includes(media.protocol))
    throw new Error(`The other side wants ${media.protocol}: only RTP/AVP and RTP/SAVP are supported.`)
  if (secure && !isEncrypted) throw new Error('The call must be encrypted, and the other side wants it without SRTP.')
  const key = isEncrypted ? readSdes(media) : undefined
  if (isEncrypted && !key) throw new Error('The other side gives no key of AES_CM_128_HMAC_SHA1_80 for SRTP.')
  if (!media.address || media.port === 0) throw new Error(`The other side refuses ${media.kind}.`)
  return {
    address: media.address,
    port: media.port,
    rtcpPort: Number.parseInt(valuesOf(media, 'rtcp')[0] ?? '', 10) || media.port + 1,
    direction: directionOf(media),
    protocol: media.protocol,
    key,
  }
}
