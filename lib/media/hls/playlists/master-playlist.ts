import { averageBandwidth, peakBandwidth } from './bandwidth.ts'
import { type Rendition, rangesOf, targetDuration } from './media-playlist.ts'
import { quotable } from './uris.ts'

export interface VideoEntry {
  readonly uri: string
  /** URI of the playlist of its I-frames. */
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
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(audio && videos.length > 0 ? [audioTag(audio)] : []),
    ...videos.flatMap((video) => variant(video.uri, videoAttributes(video, audio))),
    ...(audio && videos.length === 0 ? variant(audio.uri, audioAttributes(audio)) : []),
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

function videoAttributes(video: VideoEntry, audio: AudioEntry | null): Attributes {
  const renditions = [video.rendition, ...(audio ? [audio.rendition] : [])]
  return {
    ...bandwidths(renditions),
    CODECS: quoted([video.codec, ...(audio ? [audio.codec] : [])].join(',')),
    RESOLUTION: `${video.width}x${video.height}`,
    'FRAME-RATE': video.frameRate.toFixed(3),
    AUDIO: audio ? quoted('audio') : undefined,
    'CLOSED-CAPTIONS': 'NONE',
  }
}

const audioAttributes = ({ rendition, codec }: AudioEntry): Attributes => ({
  ...bandwidths([rendition]),
  CODECS: quoted(codec),
})

const iframesTag = ({ rendition, codec, width, height, iframesUri }: VideoEntry) =>
  tag('I-FRAME-STREAM-INF', {
    ...bandwidths([rendition], 'iframes'),
    CODECS: quoted(codec),
    RESOLUTION: `${width}x${height}`,
    URI: quoted(iframesUri),
  })

/** Returns the bit rates of renditions that are played together, whose peaks may coincide. */
function bandwidths(renditions: readonly Rendition[], part: 'segments' | 'iframes' = 'segments'): Attributes {
  const sum = (of: (rendition: Rendition) => number) => String(renditions.reduce((total, one) => total + of(one), 0))
  return {
    BANDWIDTH: sum((one) => peakBandwidth(rangesOf(one, part), targetDuration(one, part))),
    'AVERAGE-BANDWIDTH': sum((one) => averageBandwidth(rangesOf(one, part))),
  }
}

function tag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : `${key}=${value}`))
  return `#EXT-X-${name}:${written.join(',')}`
}

const quoted = (text: string) => `"${quotable(text)}"`
