import { commonTarget, type Rendition, rangesOf, targetDuration } from './media-playlist.ts'
import { quotable } from './uris.ts'

export interface VideoEntry {
  readonly uri: string
  readonly iframesUri: string
  /** Codec string of RFC 6381. */
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Frames per second. */
  readonly frameRate: number
  readonly rendition: Rendition
}

export interface AudioEntry {
  readonly uri: string
  readonly codec: string
  readonly channels: number
  readonly rendition: Rendition
}

export interface MasterPlaylist {
  /** A player begins with the first one. */
  readonly videos: readonly VideoEntry[]
  readonly audio: AudioEntry | null
}

type Attributes = Readonly<Record<string, string | undefined>>

/**
 * Writes the playlist of all renditions (RFC 8216, 4.3.4). Audio is a group that every picture shares; alone, it is the
 * only variant. Bit rates are measured on the segments.
 * @throws RangeError when there is neither picture nor audio
 */
export function writeMasterPlaylist({ videos, audio }: MasterPlaylist): string {
  if (videos.length === 0 && !audio) throw new RangeError('A master playlist needs a video or an audio rendition.')
  const target = commonTarget([...videos, ...(audio ? [audio] : [])].map(({ rendition }) => rendition))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(audio && videos.length > 0 ? [audioTag(audio)] : []),
    ...videos.flatMap((video) => variant(video.uri, videoAttributes(video, audio, target))),
    ...(audio && videos.length === 0 ? variant(audio.uri, audioAttributes(audio, target)) : []),
    ...videos.filter(({ rendition }) => rangesOf(rendition, 'iframes').length > 0).map(iframesTag),
  ]
  return `${lines.join('\n')}\n`
}

const audioTag = ({ uri, channels }: AudioEntry) =>
  tag('MEDIA', {
    TYPE: 'AUDIO',
    'GROUP-ID': quoted('audio'),
    NAME: quoted('Audio'),
    DEFAULT: 'YES',
    AUTOSELECT: 'YES',
    CHANNELS: quoted(String(channels)),
    URI: quoted(uri),
  })

const variant = (uri: string, attributes: Attributes) => [tag('STREAM-INF', attributes), quotable(uri)]

function videoAttributes(video: VideoEntry, audio: AudioEntry | null, target: number): Attributes {
  const renditions = [video.rendition, ...(audio ? [audio.rendition] : [])]
  return {
    ...bandwidths(renditions, target),
    CODECS: quoted([video.codec, ...(audio ? [audio.codec] : [])].join(',')),
    RESOLUTION: `${video.width}x${video.height}`,
    'FRAME-RATE': video.frameRate.toFixed(3),
    AUDIO: audio ? quoted('audio') : undefined,
    'CLOSED-CAPTIONS': 'NONE',
  }
}

const audioAttributes = ({ rendition, codec }: AudioEntry, target: number): Attributes => ({
  ...bandwidths([rendition], target),
  CODECS: quoted(codec),
})

const iframesTag = ({ rendition, codec, width, height, iframesUri }: VideoEntry) =>
  tag('I-FRAME-STREAM-INF', {
    ...bandwidths([rendition], targetDuration(rendition, 'iframes'), 'iframes'),
    CODECS: quoted(codec),
    RESOLUTION: `${width}x${height}`,
    URI: quoted(iframesUri),
  })

/** Returns the bit rates of renditions that are played together, whose peaks may coincide. */
function bandwidths(
  renditions: readonly Rendition[],
  target: number,
  part: 'segments' | 'iframes' = 'segments',
): Attributes {
  const sum = (of: (rendition: Rendition) => number) => String(renditions.reduce((total, one) => total + of(one), 0))
  return {
    BANDWIDTH: sum((one) => peakBandwidth(rangesOf(one, part), target)),
    'AVERAGE-BANDWIDTH': sum((one) => averageBandwidth(rangesOf(one, part))),
  }
}

function tag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : `${key}=${value}`))
  return `#EXT-X-${name}:${written.join(',')}`
}

const quoted = (text: string) => `"${quotable(text)}"`

/** The seconds and bytes of a segment. */
interface Weighed {
  readonly duration: number
  readonly size: number
}

/**
 * Returns the highest bit rate of any run of segments that lasts between half and one and a half target durations, as a
 * master playlist must state it (RFC 8216, 4.1). Without such a run, returns that of the segment with the highest.
 * @param target seconds
 * @returns bits per second, rounded up
 */
export function peakBandwidth(segments: readonly Weighed[], target: number): number {
  let peak = 0
  for (let first = 0; first < segments.length; first++) {
    let duration = 0
    let size = 0
    for (const segment of segments.slice(first, first + MAX_RUN_LENGTH)) {
      duration += segment.duration
      size += segment.size
      if (duration > 1.5 * target) break
      if (duration >= 0.5 * target) peak = Math.max(peak, (size * 8) / duration)
    }
  }
  const single = () => Math.max(0, ...segments.map(({ size, duration }) => (duration > 0 ? (size * 8) / duration : 0)))
  return Math.ceil(peak || single())
}

/** Bounds a run of I-frames, of which a damaged file may have thousands per second; segments are far fewer. */
const MAX_RUN_LENGTH = 1000

/** Returns the average bit rate of segments. @returns bits per second, rounded up; 0 without duration */
export function averageBandwidth(segments: readonly Weighed[]): number {
  const duration = segments.reduce((sum, segment) => sum + segment.duration, 0)
  const size = segments.reduce((sum, segment) => sum + segment.size, 0)
  return duration > 0 ? Math.ceil((size * 8) / duration) : 0
}

interface CaptionsEntry {
  /** URI of a playlist of WebVTT segments. */
  readonly uri: string
  /** Name in a player’s menu. */
  readonly name: string
  /** Language tag (BCP 47): `en`, `pt-BR`. */
  readonly language: string
}

const SUBTITLES = /^#EXT-X-MEDIA:(?:.*,)?TYPE=SUBTITLES(?:,|$)/
const VARIANT = '#EXT-X-STREAM-INF:'
const GROUP = ',SUBTITLES="subtitles"'

/**
 * Replaces the captions of a master playlist (RFC 8216, 4.3.4.1). Captions are shown only when the viewer chooses them.
 * @throws RangeError for a name or URI with a quotation mark or a line break
 */
export function withCaptions(master: string, captions: readonly CaptionsEntry[]): string {
  const lines = master.split('\n').filter((line) => !SUBTITLES.test(line))
  const bare = lines.map((line) => (line.startsWith(VARIANT) ? line.replace(GROUP, '') : line))
  if (captions.length === 0) return bare.join('\n')
  const first = bare.findIndex((line) => line.startsWith(VARIANT))
  const before = bare.slice(0, first)
  const named = bare.slice(first).map((line) => (line.startsWith(VARIANT) ? line + GROUP : line))
  return [...before, ...captions.map(captionsTag), ...named].join('\n')
}

const captionsTag = ({ uri, name, language }: CaptionsEntry) =>
  `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="${quotable(name)}",LANGUAGE="${quotable(language)}",` +
  `DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="${quotable(uri)}"`
