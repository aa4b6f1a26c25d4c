import { EncodedPacketSink, type Input, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import { MediaError } from '../media-error.ts'
import { findReordering } from './reordering.ts'

/** What a player must know of a track before its first segment. */
interface TrackFacts {
  /** As RFC 6381 writes it: `avc1.64001f`, `mp4a.40.2`. */
  readonly codec: string
  /** Ticks per second in which its times are whole numbers. */
  readonly timescale: number
  /** Ticks that frames are decoded ahead of their turn. */
  readonly delay: number
  /** Ticks by which its first packet is decoded before 0: frames in another order, an encoder's run-up, a cut inside a GOP. */
  readonly lead: number
  /** The decoder's configuration: the content of `avcC` or `hvcC`, or the AudioSpecificConfig. */
  readonly configuration: Uint8Array
}

export interface VideoFacts extends TrackFacts {
  readonly type: 'video'
  /** Pixels as stored. */
  readonly codedWidth: number
  readonly codedHeight: number
  /** Pixels as shown, after rotation and with square pixels. */
  readonly width: number
  readonly height: number
  /** Degrees clockwise. */
  readonly rotation: 0 | 90 | 180 | 270
  /** Width to height of a stored pixel. */
  readonly pixelAspect: { readonly num: number; readonly den: number }
}

export interface AudioFacts extends TrackFacts {
  readonly type: 'audio'
  readonly sampleRate: number
  readonly channels: number
}

export interface FoundTrack<Facts = VideoFacts | AudioFacts> {
  readonly facts: Facts
  readonly track: InputTrack
  readonly sink: EncodedPacketSink
}

export interface FoundTracks {
  readonly video: FoundTrack<VideoFacts> | undefined
  readonly audio: FoundTrack<AudioFacts> | undefined
}

/**
 * Finds the tracks that HLS gets: the first of each kind that has packets. Only the index is read.
 * @throws MediaError when there is none, or for one that CMAF players do not take as it is
 */
export async function findTracks(input: Input): Promise<FoundTracks> {
  const video = await withPackets(await input.getPrimaryVideoTrack())
  const audio = await withPackets(await input.getPrimaryAudioTrack())
  if (!video && !audio) throw new MediaError('The MP4 holds no video and no audio.')
  return {
    video: video && { ...video, facts: await videoFacts(video.track) },
    audio: audio && { ...audio, facts: await audioFacts(audio.track) },
  }
}

async function withPackets<Track extends InputTrack>(track: Track | null) {
  if (!track) return undefined
  const sink = new EncodedPacketSink(track)
  return (await sink.getFirstPacket({ metadataOnly: true })) ? { track, sink } : undefined
}

async function videoFacts(track: InputVideoTrack): Promise<VideoFacts> {
  const codec = await track.getCodec()
  if (codec !== 'avc' && codec !== 'hevc') {
    throw new MediaError(`HLS by copy takes H.264 and H.265 video, this is ${await nameOf(track)}.`)
  }
  return {
    type: 'video',
    ...(await commonFacts(track)),
    codedWidth: await track.getCodedWidth(),
    codedHeight: await track.getCodedHeight(),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    rotation: await track.getRotation(),
    pixelAspect: await track.getPixelAspectRatio(),
  }
}

async function audioFacts(track: InputAudioTrack): Promise<AudioFacts> {
  if ((await track.getCodec()) !== 'aac') {
    throw new MediaError(`HLS by copy takes AAC audio, this is ${await nameOf(track)}.`)
  }
  return {
    type: 'audio',
    ...(await commonFacts(track)),
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
  }
}

async function commonFacts(track: InputVideoTrack | InputAudioTrack): Promise<TrackFacts> {
  const config = await track.getDecoderConfig()
  if (!config?.description)
    throw new MediaError(`The ${track.type} has no configuration that a decoder could start with.`)
  const timescale = await track.getTimeResolution()
  const toTicks = (seconds: number) => Math.round(seconds * timescale)
  const { start, delay } = await findReordering(new EncodedPacketSink(track))
  return {
    codec: config.codec,
    timescale,
    delay: toTicks(delay),
    lead: Math.max(0, toTicks(delay) - toTicks(start)),
    configuration: asBytes(config.description),
  }
}

const nameOf = async (track: InputTrack) =>
  (await track.getCodec()) ?? String((await track.getInternalCodecId()) ?? 'of an unknown codec')

const asBytes = (bytes: ArrayBufferLike | ArrayBufferView) =>
  ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes)
