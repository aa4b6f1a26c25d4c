import { EncodedPacketSink, type Input, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import { type ByteSource, countReads } from './byte-source.ts'
import { findFrameRate } from './frame-rate.ts'
import { MediaError } from './media-error.ts'
import { withMp4 } from './open-mp4.ts'
import type { MoovPosition } from './top-level-boxes.ts'

export interface Inspection {
  readonly container: 'mp4'
  /** Seconds from the start of the presentation to the end of its last frame or audio packet. */
  readonly duration: number
  readonly video: VideoInspection | null
  readonly audio: AudioInspection | null
  readonly moovPosition: MoovPosition
  /** What finding this out has cost. */
  readonly bytesRead: number
}

export interface VideoInspection {
  /** `h264`, `h265`, otherwise the name WebCodecs gives it or the four characters in the file. */
  readonly codec: string
  /** Pixels as displayed, after aspect ratio and rotation. */
  readonly width: number
  readonly height: number
  /** Frames per second; a pause in a recording that is steady otherwise does not count. */
  readonly frameRate: number
  /** Seconds until the end of the last frame. */
  readonly duration: number
  /** How many frames can be decoded on their own. */
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
 * Reports what an MP4 holds, reading its index and the last packet of each track; a file that is not fragmented costs one
 * pass over its index however long it is, a fragmented one a read for each fragment. A track without packets counts as none.
 * @throws MediaError when the file is not a whole MP4 with a track; whatever the source rejects with, unchanged
 */
export function inspect(source: ByteSource): Promise<Inspection> {
  const counted = countReads(source)
  return withMp4(counted, async ({ input, moovPosition }) => {
    const video = await inspectVideo(input)
    const audio = await inspectAudio(input)
    if (!video && !audio) throw new MediaError('The MP4 holds no video and no audio.')
    const duration = Math.max(video?.duration ?? 0, audio?.duration ?? 0)
    return { container: 'mp4', duration, video, audio, moovPosition, bytesRead: counted.bytesRead }
  })
}

async function inspectVideo(input: Input): Promise<VideoInspection | null> {
  const track = await input.getPrimaryVideoTrack()
  if (!track || (await isEmpty(track))) return null
  const { frameDurations, keyframes } = await surveyPackets(track)
  await requireLastPacket(track)
  return {
    codec: await nameCodec(track),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    frameRate: findFrameRate(frameDurations),
    duration: await track.computeDuration(),
    keyframes,
  }
}

async function inspectAudio(input: Input): Promise<AudioInspection | null> {
  const track = await input.getPrimaryAudioTrack()
  if (!track || (await isEmpty(track))) return null
  await requireLastPacket(track)
  return {
    codec: await nameCodec(track),
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    duration: await track.computeDuration(),
  }
}

/** Goes over the index once; no frame is read. */
async function surveyPackets(track: InputVideoTrack) {
  const frameDurations = new Map<number, number>()
  let keyframes = 0
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    if (packet.type === 'key') keyframes += 1
    frameDurations.set(packet.duration, (frameDurations.get(packet.duration) ?? 0) + 1)
  }
  return { frameDurations, keyframes }
}

/** The index may promise more than the file has: the last packet of a track is the one that a cut takes first. */
async function requireLastPacket(track: InputTrack): Promise<void> {
  const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY)
  if (!last) throw new MediaError(`The file is cut off: its index places ${track.type} beyond the end of the file.`)
}

const isEmpty = async (track: InputTrack) =>
  (await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })) === null

const CODEC_NAMES: Readonly<Record<string, string>> = { avc: 'h264', hevc: 'h265' }

async function nameCodec(track: InputVideoTrack | InputAudioTrack): Promise<string> {
  const codec = await track.getCodec()
  if (codec) return CODEC_NAMES[codec] ?? codec
  return String((await track.getInternalCodecId()) ?? 'unknown')
}
