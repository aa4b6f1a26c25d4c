import { EncodedPacketSink, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import { bufferOf } from '../../byte-source.ts'
import { MediaError } from '../../media-error.ts'
import type { Fragmented, OpenIndex } from '../../mp4/tables/with-tables.ts'
import type { PeekableSource } from '../../read-ahead.ts'
import { packetsInFragments } from './packets-in-fragments.ts'
import { packetsInTables } from './packets-in-tables.ts'
import { findReordering, PACKETS_SEEN } from './reordering.ts'
import type { TrackPackets } from './track-packets.ts'

/** The facts about a track that a player needs before its first segment. */
interface TrackFacts {
  /** Codec string of RFC 6381: `avc1.64001f`, `mp4a.40.2`. */
  readonly codec: string
  /** Ticks per second; times in ticks are whole numbers. */
  readonly timescale: number
  /** Ticks by which frames are decoded before their slot. */
  readonly delay: number
  /** Ticks by which its first packet precedes 0: encoder priming, or a cut inside a GOP. */
  readonly lead: number
  /** Decoder configuration: the content of `avcC` or `hvcC`, or the AudioSpecificConfig. */
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
  readonly packets: TrackPackets
}

/**
 * Finds the tracks for HLS in the index: the first of each kind that has packets. @param media source of their data
 * @throws {@link MediaError} without a track, and for a codec that CMAF players do not support
 */
export async function findTracks(mp4: OpenIndex | Fragmented, media: PeekableSource) {
  const video = await withPackets(mp4, await mp4.input.getPrimaryVideoTrack(), media)
  const audio = await withPackets(mp4, await mp4.input.getPrimaryAudioTrack(), media)
  if (!video && !audio) throw new MediaError('The MP4 holds no video and no audio.')
  return {
    video: video && { packets: video.packets, facts: await videoFacts(video) },
    audio: audio && { packets: audio.packets, facts: await audioFacts(audio) },
  }
}

interface WithPackets<Track> {
  readonly track: Track
  readonly packets: TrackPackets
}

async function withPackets<Track extends InputTrack>(
  mp4: OpenIndex | Fragmented,
  track: Track | null,
  media: PeekableSource,
): Promise<WithPackets<Track> | undefined> {
  if (!track) return undefined
  if (mp4.moovPosition !== 'fragmented') {
    const table = await mp4.tableOf(track.id)
    const type = track.isVideoTrack() ? 'video' : 'audio'
    return table && { track, packets: packetsInTables(table, type, media) }
  }
  const sink = new EncodedPacketSink(track as unknown as InputVideoTrack | InputAudioTrack)
  if (!(await sink.getFirstPacket({ metadataOnly: true }))) return undefined
  return { track, packets: packetsInFragments(track, sink, await track.getTimeResolution()) }
}

async function videoFacts({ track, packets }: WithPackets<InputVideoTrack>): Promise<VideoFacts> {
  const codec = await track.getCodec()
  if (codec !== 'avc' && codec !== 'hevc') {
    throw new MediaError(`HLS by copy supports H.264 and H.265 video: this is ${await nameOf(track)}.`)
  }
  return {
    type: 'video',
    ...(await commonFacts(track, packets)),
    codedWidth: await track.getCodedWidth(),
    codedHeight: await track.getCodedHeight(),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    rotation: await track.getRotation(),
    pixelAspect: await track.getPixelAspectRatio(),
  }
}

async function audioFacts({ track, packets }: WithPackets<InputAudioTrack>): Promise<AudioFacts> {
  if ((await track.getCodec()) !== 'aac') {
    throw new MediaError(`HLS by copy supports AAC audio: this is ${await nameOf(track)}.`)
  }
  return {
    type: 'audio',
    ...(await commonFacts(track, packets)),
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
  }
}

async function commonFacts(track: InputVideoTrack | InputAudioTrack, packets: TrackPackets): Promise<TrackFacts> {
  const config = await track.getDecoderConfig()
  if (!config?.description) throw new MediaError(`The ${track.type} has no decoder configuration.`)
  const { start, delay } = findReordering(await packets.first(PACKETS_SEEN))
  return {
    codec: config.codec,
    timescale: await track.getTimeResolution(),
    delay,
    lead: Math.max(0, -start),
    configuration: bufferOf(config.description),
  }
}

const nameOf = async (track: InputTrack) =>
  (await track.getCodec()) ?? String((await track.getInternalCodecId()) ?? 'of an unknown codec')
