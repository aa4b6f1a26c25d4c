import { EncodedPacketSink, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import { bufferOf } from '../../byte-source.ts'
import { MediaError } from '../../media-error.ts'
import type { Fragmented, OpenIndex } from '../../mp4/tables/with-tables.ts'
import { packetsInFragments } from './packets-in-fragments.ts'
import { packetsInTables } from './packets-in-tables.ts'
import type { PeekableSource } from './read-ahead.ts'
import { findReordering, PACKETS_SEEN } from './reordering.ts'
import type { TrackPackets } from './track-packets.ts'

/** What a player must know of a track before its first segment. */
interface TrackFacts {
  /** As RFC 6381 writes it: `avc1.64001f`, `mp4a.40.2`. */
  readonly codec: string
  /** Ticks per second in which its times are whole numbers. */
  readonly timescale: number
  /** Ticks that frames are decoded ahead of their turn. */
  readonly delay: number
  /** Ticks by which its first packet would be shown before 0: an encoder's run-up, a cut inside a GOP. */
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
  readonly packets: TrackPackets
}

export interface FoundTracks {
  readonly video: FoundTrack<VideoFacts> | undefined
  readonly audio: FoundTrack<AudioFacts> | undefined
}

/**
 * Finds the tracks that HLS gets: the first of each kind that has packets. Only the index is read.
 * @param media where the data of packets are read
 * @throws MediaError when there is none, or for one that CMAF players do not take as it is
 */
export async function findTracks(mp4: OpenIndex | Fragmented, media: PeekableSource): Promise<FoundTracks> {
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
    throw new MediaError(`HLS by copy takes H.264 and H.265 video, this is ${await nameOf(track)}.`)
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
    throw new MediaError(`HLS by copy takes AAC audio, this is ${await nameOf(track)}.`)
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
  if (!config?.description)
    throw new MediaError(`The ${track.type} has no configuration that a decoder could start with.`)
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
