import { type CodecName, codecNames } from '../codecs/create-codec.ts'
import type { SdesKey } from './sdes.ts'
import { readSdes, writeSdes } from './sdes.ts'
import { type Direction, directionOf, type SdpMedia, valuesOf } from './sdp.ts'

/** An encoding with its payload type. */
export interface AudioFormat {
  readonly codec: CodecName
  readonly payloadType: number
}

/** Audio as one side of a call describes it. */
export interface AudioDescription {
  readonly address: string
  readonly port: number
  readonly rtcpPort: number
  /** In the order of preference. */
  readonly formats: readonly AudioFormat[]
  /** Payload types of DTMF digits by the clock rate of their timestamps (RFC 4733). */
  readonly digits: ReadonlyMap<number, number>
  readonly direction: Direction
  readonly protocol: string
  readonly key: SdesKey | undefined
}

/** Protocols of RTP with and without encryption, with and without feedback. */
const PLAIN = ['RTP/AVP', 'RTP/AVPF']
const ENCRYPTED = ['RTP/SAVP', 'RTP/SAVPF']
/** Payload types that mean the same in every description (RFC 3551, 6). */
const STATIC: Readonly<Record<string, string>> = { 0: 'PCMU/8000', 8: 'PCMA/8000' }
const DIGITS = /^telephone-event\/(\d+)$/i

/**
 * Reads a section of audio.
 * @param secure true if it must be encrypted
 * @throws Error for a section that cannot be used
 */
export function readAudio(media: SdpMedia, secure: boolean): AudioDescription {
  const isEncrypted = ENCRYPTED.includes(media.protocol)
  if (!isEncrypted && !PLAIN.includes(media.protocol))
    throw new Error(`The other side wants ${media.protocol}: only RTP/AVP and RTP/SAVP are supported.`)
  if (secure && !isEncrypted) throw new Error('The call must be encrypted, and the other side wants it without SRTP.')
  const key = isEncrypted ? readSdes(media) : undefined
  if (isEncrypted && !key) throw new Error('The other side gives no key of AES_CM_128_HMAC_SHA1_80 for SRTP.')
  if (!media.address || media.port === 0) throw new Error('The other side refuses audio.')
  const maps = new Map(valuesOf(media, 'rtpmap').map((value) => value.split(/ +/, 2) as [string, string]))
  const named = media.formats.map((format) => [Number(format), maps.get(format) ?? STATIC[format] ?? ''] as const)
  return {
    address: media.address,
    port: media.port,
    rtcpPort: Number.parseInt(valuesOf(media, 'rtcp')[0] ?? '', 10) || media.port + 1,
    formats: named.flatMap(([payloadType, name]) => {
      const codec = codecNames.find((known) => isSameFormat(known, name))
      return codec ? [{ codec, payloadType }] : []
    }),
    digits: new Map(
      named.flatMap(([payloadType, name]) => {
        const rate = DIGITS.exec(name)?.[1]
        return rate ? [[Number(rate), payloadType] as const] : []
      }),
    ),
    direction: directionOf(media),
    protocol: media.protocol,
    key,
  }
}

/** Writes the lines of a section of audio. */
export function writeAudio({
  port,
  formats,
  digits,
  direction,
  protocol,
  key,
}: Omit<AudioDescription, 'address' | 'rtcpPort'>): string[] {
  const events = [...digits].map(([rate, payloadType]) => ({ rate, payloadType }))
  const types = [...formats, ...events].map(({ payloadType }) => payloadType)
  return [
    `m=audio ${port} ${protocol} ${types.join(' ')}`,
    `a=rtcp:${port + 1}`,
    ...formats.flatMap(({ codec, payloadType }) => [
      `a=rtpmap:${payloadType} ${codec}`,
      ...(codec === 'opus/48000/2' ? [`a=fmtp:${payloadType} useinbandfec=1; stereo=0; sprop-stereo=0`] : []),
    ]),
    ...events.flatMap(({ rate, payloadType }) => [
      `a=rtpmap:${payloadType} telephone-event/${rate}`,
      `a=fmtp:${payloadType} 0-15`,
    ]),
    'a=ptime:20',
    ...(key ? [writeSdes(key)] : []),
    `a=${direction}`,
  ]
}

/** Writes a section that refuses what was offered. */
export const refuseMedia = ({ kind, protocol, formats }: SdpMedia): string[] => [
  `m=${kind} 0 ${protocol} ${formats.join(' ')}`,
]

/** Compares names without regard to case. One channel may be left out. */
const isSameFormat = (known: CodecName, name: string) =>
  known.toLowerCase() === name.toLowerCase().replace(/(8000)\/1$/, '$1')
