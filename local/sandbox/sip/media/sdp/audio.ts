import { type CodecName, codecNames } from '../codecs/create-codec.ts'
import { type RtpSection, readRtpSection, writeProtection } from './rtp-section.ts'
import { type SdpMedia, valuesOf } from './sdp.ts'

/** An encoding with its payload type. */
export interface AudioFormat {
  readonly codec: CodecName
  readonly payloadType: number
}

/** Audio as one side of a call describes it. */
export interface AudioDescription extends RtpSection {
  /** In the order of preference. */
  readonly formats: readonly AudioFormat[]
  /** Payload types of DTMF digits by the clock rate of their timestamps (RFC 4733). */
  readonly digits: ReadonlyMap<number, number>
}

/** Payload types that mean the same in every description (RFC 3551, 6). */
const STATIC: Readonly<Record<string, string>> = { 0: 'PCMU/8000', 8: 'PCMA/8000' }
const DIGITS = /^telephone-event\/(\d+)$/i

/**
 * Reads a section of audio.
 * @param secure true if it must be encrypted
 * @throws Error for a section that cannot be used
 */
export function readAudio(media: SdpMedia, secure: boolean): AudioDescription {
  const section = readRtpSection(media, secure)
  const maps = new Map(valuesOf(media, 'rtpmap').map((value) => value.split(/ +/, 2) as [string, string]))
  const named = media.formats.map((format) => [Number(format), maps.get(format) ?? STATIC[format] ?? ''] as const)
  return {
    ...section,
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
  }
}

/** Writes the lines of a section of audio. */
export function writeAudio({
  port,
  formats,
  digits,
  protocol,
  ...protection
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
    ...writeProtection(protection),
  ]
}

/** Writes a section that refuses what was offered. */
export const refuseMedia = ({ kind, protocol, formats }: SdpMedia): string[] => [
  `m=${kind} 0 ${protocol} ${formats.join(' ')}`,
]

/** Compares names without regard to case. One channel may be left out. */
const isSameFormat = (known: CodecName, name: string) =>
  known.toLowerCase() === name.toLowerCase().replace(/(8000)\/1$/, '$1')
