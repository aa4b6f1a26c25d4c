import { EncodedPacketSink, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import type { ByteSource } from './byte-source.ts'
import { countDurations, findFrameRate } from './frame-rate.ts'
import { MediaError } from './media-error.ts'
import { durationsOf, endOfShown } from './mp4/tables/shown-durations.ts'
import { type Fragmented, type OpenIndex, withIndex } from './mp4/tables/with-tables.ts'
import type { MoovPosition } from './mp4/top-level-boxes.ts'

export interface Inspection {
  /** Seconds from the start of the presentation to the end of its last frame or audio packet. */
  readonly duration: number
  readonly video: VideoInspection | null
  readonly audio: AudioInspection | null
  readonly moovPosition: MoovPosition
}

export interface VideoInspection {
  /** `h264`, `h265`, else the name in WebCodecs or the four characters in the file. */
  readonly codec: string
  /** Pixels as displayed, after aspect ratio and rotation. */
  readonly width: number
  readonly height: number
  /** Frames per second; a pause in an otherwise steady recording does not count. */
  readonly frameRate: number
  /** Seconds until the end of the last frame. */
  readonly duration: number
  /** Number of frames that decode without others. */
  readonly keyframes: number
}

export interface AudioInspection {
  readonly codec: string
  /** In hertz. */
  readonly sampleRate: number
  readonly channels: number
  /** Seconds until the end of the last packet. AAC packets hold 1024 samples, so this may exceed the video by up to 22 ms. */
  readonly duration: number
}

/**
 * Reports the tracks of an MP4. Reads the parts of its index that state durations and keyframes, and checks that the last
 * packet of each track is in the file; a fragmented file takes a read for each fragment. A track without packets is left out.
 * @throws {@link MediaError} for an incomplete MP4 or one without a track
 */
export function inspect(source: ByteSource): Promise<Inspection> {
  return withIndex(source, async (mp4) => {
    const video = await inspectVideo(mp4, source)
    const audio = await inspectAudio(mp4, source)
    if (!video && !audio) throw new MediaError('The MP4 holds no video and no audio.')
    const duration = Math.max(video?.duration ?? 0, audio?.duration ?? 0)
    return { duration, video, audio, moovPosition: mp4.moovPosition }
  })
}

async function inspectVideo(mp4: OpenIndex | Fragmented, source: ByteSource): Promise<VideoInspection | null> {
  const track = await mp4.input.getPrimaryVideoTrack()
  const packets = track && (await surveyPackets(mp4, track, source))
  if (!packets) return null
  return {
    codec: await nameCodec(track),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    frameRate: findFrameRate(packets.durations),
    duration: packets.end,
    keyframes: packets.keyframes,
  }
}

async function inspectAudio(mp4: OpenIndex | Fragmented, source: ByteSource): Promise<AudioInspection | null> {
  const track = await mp4.input.getPrimaryAudioTrack()
  const packets = track && (await surveyPackets(mp4, track, source))
  if (!packets) return null
  return {
    codec: await nameCodec(track),
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    duration: packets.end,
  }
}

/** Durations and end in seconds. */
interface Survey {
  readonly durations: ReadonlyMap<number, number>
  readonly keyframes: number
  readonly end: number
}

/**
 * Reads the index of a track and no frame. Undefined when the index lists no packets.
 * @throws {@link MediaError} when the last packet is missing, which is the first that a truncated file loses
 */
async function surveyPackets(
  mp4: OpenIndex | Fragmented,
  track: InputVideoTrack | InputAudioTrack,
  source: ByteSource,
): Promise<Survey | undefined> {
  if (mp4.moovPosition === 'fragmented') return surveyFragments(track)
  const table = await mp4.tableOf(track.id)
  if (!table) return undefined
  if ((await table.endInFile()) > source.size) throw cutOff(track)
  return { durations: durationsOf(table), keyframes: table.keys?.length ?? table.count, end: endOfShown(table) }
}

async function surveyFragments(track: InputVideoTrack | InputAudioTrack): Promise<Survey | undefined> {
  const sink = new EncodedPacketSink(track)
  const counted = countDurations()
  let keyframes = 0
  for await (const { type, duration } of sink.packets(undefined, undefined, { metadataOnly: true })) {
    if (type === 'key') keyframes += 1
    counted.add(duration)
  }
  const { durations } = counted
  if (durations.size === 0) return undefined
  if (!(await sink.getPacket(Number.POSITIVE_INFINITY))) throw cutOff(track)
  return { durations, keyframes, end: await track.computeDuration() }
}

const cutOff = (track: InputTrack) =>
  new MediaError(`The file is cut off: its index places ${track.type} beyond the end of the file.`)

const CODEC_NAMES: Readonly<Record<string, string>> = { avc: 'h264', hevc: 'h265' }

async function nameCodec(track: InputVideoTrack | InputAudioTrack): Promise<string> {
  const codec = await track.getCodec()
  if (codec) return CODEC_NAMES[codec] ?? codec
  return String((await track.getInternalCodecId()) ?? 'unknown')
}
