import type { AudioCodec, VideoCodec } from '../media/live/packets.ts'
import { DoorProblem } from './door-problem.ts'

/** The codecs that an offer and the sandbox have in common, in the order of the offer; absent without that kind of media. */
export interface ReadOffer {
  readonly video?: readonly VideoCodec[]
  readonly audio?: readonly AudioCodec[]
  /** True if the video is sent in several layers (simulcast, RFC 8853). */
  readonly hasLayers?: boolean
}

interface Section {
  readonly kind: string
  readonly port: string
  readonly lines: readonly string[]
}

/**
 * Reads the audio and the video of an SDP offer.
 * @param direction `send` for a publisher, `recv` for a subscriber
 * @throws {@link DoorProblem} 400 for what is not an SDP offer, 422 for one that cannot be answered
 */
export function readOffer(sdp: string, direction: 'send' | 'recv'): ReadOffer {
  const [session = [], ...sections] = sectionsOf(sdp)
  if (!session[0]?.startsWith('v=0')) throw new DoorProblem(400, 'The body is not a session description (SDP).')
  const media = sections.map(readSection).filter(({ kind, port }) => port !== '0' && kind !== 'application')
  for (const { kind, lines } of media) {
    if (kind !== 'audio' && kind !== 'video')
      throw new DoorProblem(422, `The offer has media of the kind ${kind}: offer audio and video only.`)
    if (!isOffered(lines, session, direction))
      throw new DoorProblem(422, `The ${kind} of the offer is not ${direction}only: nothing could be transmitted.`)
    if (![...session, ...lines].some((line) => line.startsWith('a=fingerprint:')))
      throw new DoorProblem(422, 'The offer has no DTLS fingerprint: offer UDP/TLS/RTP/SAVPF.')
  }
  const video = only(media, 'video')
  const audio = only(media, 'audio')
  if (!video && !audio) throw new DoorProblem(422, 'The offer has neither audio nor video.')
  return {
    ...(video && {
      video: common(video, 'VP8 or H.264 (constrained baseline)', videoCodecsOf),
      ...(hasLayers(video) && { hasLayers: true }),
    }),
    ...(audio && { audio: common(audio, 'Opus', audioCodecsOf) }),
  }
}

const hasLayers = ({ lines }: Section) => lines.some((line) => /^a=simulcast:.*send [^ ]*;/.test(line))

function sectionsOf(sdp: string): string[][] {
  const sections: string[][] = [[]]
  for (const line of sdp.split(/\r?\n/)) {
    if (line.startsWith('m=')) sections.push([])
    if (line) sections.at(-1)?.push(line)
  }
  return sections
}

function readSection(lines: readonly string[]): Section {
  const [kind = '', port = ''] = (lines[0] ?? '').slice(2).split(' ')
  return { kind, port, lines }
}

function isOffered(lines: readonly string[], session: readonly string[], direction: 'send' | 'recv'): boolean {
  const marks = ['sendrecv', 'sendonly', 'recvonly', 'inactive']
  const find = (all: readonly string[]) => marks.find((mark) => all.includes(`a=${mark}`))
  const mark = find(lines) ?? find(session) ?? 'sendrecv'
  return mark === 'sendrecv' || mark === `${direction}only`
}

function only(media: readonly Section[], kind: string): Section | undefined {
  const found = media.filter((section) => section.kind === kind)
  if (found.length > 1)
    throw new DoorProblem(
      422,
      `The offer has ${found.length} ${kind} tracks: a stream has one, so use a request for each.`,
    )
  return found[0]
}

function common<Codec>(section: Section, supported: string, codecsOf: (section: Section) => Codec[]): Codec[] {
  const codecs = codecsOf(section)
  if (codecs.length === 0)
    throw new DoorProblem(422, `The ${section.kind} of the offer has no usable codec: offer ${supported}.`)
  return codecs
}

const audioCodecsOf = (section: Section): AudioCodec[] =>
  formatsOf(section).some(({ name }) => name === 'OPUS/48000/2') ? ['OPUS'] : []

/** Level and `max-*` parameters do not matter: every size is decoded. */
function videoCodecsOf(section: Section): VideoCodec[] {
  const codecs = formatsOf(section).flatMap(({ name, parameters }): VideoCodec[] => {
    if (name === 'VP8/90000') return ['VP8']
    // RFC 6184, 8.1: without a profile, it is baseline; 66 is the profile_idc of baseline and constrained baseline.
    const profile = /profile-level-id=([0-9a-f]{2})/i.exec(parameters)?.[1] ?? '42'
    const mode = /packetization-mode=(\d)/.exec(parameters)?.[1] ?? '0'
    return name === 'H264/90000' && profile === '42' && mode === '1' ? ['H264'] : []
  })
  return [...new Set(codecs)]
}

/** The formats of an `m=` line in its order, with the names of `a=rtpmap` and the parameters of `a=fmtp`. */
function formatsOf({ lines }: Section): { name: string; parameters: string }[] {
  const [, , , ...types] = (lines[0] ?? '').split(' ')
  const attribute = (name: string, type: string) =>
    lines.find((line) => line.startsWith(`a=${name}:${type} `))?.slice(`a=${name}:${type} `.length) ?? ''
  return types.map((type) => ({ name: attribute('rtpmap', type).toUpperCase(), parameters: attribute('fmtp', type) }))
}
