import type { VideoCodec } from '../../../media/live/packets.ts'
import { type RtpSection, readRtpSection, writeProtection } from './rtp-section.ts'
import { type SdpMedia, valuesOf } from './sdp.ts'

/** An encoding of video with its payload type. */
export interface VideoFormat {
  readonly codec: VideoCodec
  readonly payloadType: number
  /** As the attribute `fmtp` has them. */
  readonly parameters?: string | undefined
}

/** Video as one side of a call describes it. */
export interface VideoDescription extends RtpSection {
  /** In the order of preference. */
  readonly formats: readonly VideoFormat[]
  /** How its sender is asked for a keyframe: PLI (RFC 4585) or FIR (RFC 5104). */
  readonly keyframeRequest: 'pli' | 'fir'
}

/** Constrained baseline of level 3.1, of which every phone with H.264 sends a picture of 1280x720 or less (RFC 6184). */
const PROFILE = 'profile-level-id=42e01f'

/** Formats of an own offer, in the order of preference. Some phones compare packetization modes, and have only 0. */
export const offeredVideo: readonly VideoFormat[] = [
  { codec: 'H264', payloadType: 97, parameters: `${PROFILE};packetization-mode=1` },
  { codec: 'VP8', payloadType: 98 },
  { codec: 'H264', payloadType: 99, parameters: `${PROFILE};packetization-mode=0` },
]

/**
 * Reads a section of video. Interleaved H.264 is left out (RFC 6184, 6.4).
 * @param secure true if it must be encrypted
 * @throws Error for a section that cannot be used
 */
export function readVideo(media: SdpMedia, secure: boolean): VideoDescription {
  const section = readRtpSection(media, secure)
  const byType = (name: string) =>
    new Map(valuesOf(media, name).map((value) => [value.split(' ', 1)[0], value.slice(value.indexOf(' ') + 1)]))
  const [maps, parameters] = [byType('rtpmap'), byType('fmtp')]
  const formats = media.formats.flatMap((format): VideoFormat[] => {
    const name = /^(VP8|H264)\/90000$/i.exec(maps.get(format)?.trim() ?? '')?.[1]?.toUpperCase()
    if (!name) return []
    const own = parameters.get(format)
    if (/packetization-mode *= *2/.test(own ?? '')) return []
    return [{ codec: name as VideoCodec, payloadType: Number(format), parameters: own }]
  })
  if (formats.length === 0) throw new Error('The other side supports neither H.264 nor VP8.')
  const feedback = valuesOf(media, 'rtcp-fb')
  const takes = (kind: string) => feedback.some((value) => value.trim().endsWith(kind))
  return { ...section, formats, keyframeRequest: takes('ccm fir') && !takes('nack pli') ? 'fir' : 'pli' }
}

/** Writes the lines of a section of video that is received. */
export function writeVideo({
  port,
  formats,
  protocol,
  ...protection
}: Omit<VideoDescription, 'address' | 'rtcpPort' | 'keyframeRequest'>): string[] {
  return [
    `m=video ${port} ${protocol} ${formats.map(({ payloadType }) => payloadType).join(' ')}`,
    `a=rtcp:${port + 1}`,
    ...formats.flatMap(({ codec, payloadType, parameters }) => [
      `a=rtpmap:${payloadType} ${codec}/90000`,
      ...(parameters ? [`a=fmtp:${payloadType} ${parameters}`] : []),
      `a=rtcp-fb:${payloadType} nack pli`,
      `a=rtcp-fb:${payloadType} ccm fir`,
    ]),
    ...writeProtection(protection),
  ]
}
