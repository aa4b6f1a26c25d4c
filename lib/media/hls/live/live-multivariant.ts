import { MediaError } from '../../media-error.ts'
import { findBox } from '../../mp4/boxes.ts'

/** Name of the audio rendition, and of its folder. */
export const LIVE_AUDIO = 'audio'

/** A rendition of video, as its init segment describes it. */
export interface LiveVideo {
  /** Name of its folder. */
  readonly name: string
  /** Codec string of RFC 6381. */
  readonly codec: string
  readonly width: number
  readonly height: number
}

/** Bits of a second for each pixel: 4.6 Mbit/s for 1280x720. The recordings' ladder has half of it, by a slower encoder. */
const BITS_PER_PIXEL = 5
/** Length of the encoder's buffer in seconds, by which a segment may exceed the bit rate. */
const BUFFER_SECONDS = 0.5
/** Seconds of the shortest run of segments whose bit rate counts: half of a target duration (RFC 8216bis, 4.4.6.2). */
const MIN_RUN = 1
/** Bits of a second for audio, with the boxes around it and around the video. */
const AUDIO_AND_BOXES = 160_000

/** Returns the encoder's limits for a size, in bits per second and bits. */
export function limitsOfVideo({ width, height }: Pick<LiveVideo, 'width' | 'height'>) {
  const maxBitrate = BITS_PER_PIXEL * width * height
  return { maxBitrate, buffer: maxBitrate * BUFFER_SECONDS }
}

/**
 * Reads the size and the codec of an H.264 rendition.
 * @param init its init segment
 * @throws {@link MediaError} for an init segment without H.264
 */
export function readLiveVideo(name: string, init: Buffer): LiveVideo {
  const path = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']
  const [entry, configuration] = [findBox(init, path), findBox(init, [...path, 'avcC'])]
  if (!entry || !configuration) throw new MediaError(`The rendition ${name} has no H.264: its index is damaged.`)
  const codec = `avc1.${configuration.toString('hex', 1, 4)}`
  return { name, codec, width: entry.readUInt16BE(24), height: entry.readUInt16BE(26) } // ISO/IEC 14496-12, 12.1.3
}

/**
 * Writes the playlist of all renditions of a broadcast. Audio is a separate rendition, which every video shares.
 * @param videos a player begins with the first one
 * @param file name of the media playlist in each rendition's folder
 * @param frameRate frames per second
 */
export function writeLiveMultivariant(videos: readonly LiveVideo[], file: string, frameRate: number): string {
  const audio = `TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="1"`
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MEDIA:${audio},URI="${LIVE_AUDIO}/${file}"`,
    ...videos.flatMap((video) => [`#EXT-X-STREAM-INF:${attributesOf(video, frameRate)}`, `${video.name}/${file}`]),
  ]
  return `${lines.join('\n')}\n`
}

function attributesOf(video: LiveVideo, frameRate: number): string {
  const { maxBitrate, buffer } = limitsOfVideo(video)
  return [
    `BANDWIDTH=${Math.ceil(maxBitrate + buffer / MIN_RUN + AUDIO_AND_BOXES)}`,
    `CODECS="${video.codec},mp4a.40.2"`,
    `RESOLUTION=${video.width}x${video.height}`,
    `FRAME-RATE=${frameRate.toFixed(3)}`,
    'AUDIO="audio"',
    'CLOSED-CAPTIONS=NONE',
  ].join(',')
}
