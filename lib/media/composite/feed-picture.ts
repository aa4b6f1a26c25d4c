import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { readAhead } from '../hls/packets/read-ahead.ts'
import { type NamedFile, withWebm } from '../individual/open-webm.ts'
import { createMatroskaWriter, type MatroskaTrack, TICKS_PER_SECOND } from './matroska-writer.ts'

/** Seconds of a stream's own clock. */
export interface OwnSpan {
  readonly start: number
  readonly end: number
}

/** Bytes fetched at once of each of up to 16 files, and how many of these are kept. */
const WINDOW = { window: 2 ** 20, kept: 3 } as const

/**
 * When the keyframe is shown from which on a span can be decoded; where the span begins before the first one, that. Undefined
 * when the file has nothing to show until the end of the span.
 */
export function findKeyframe(file: NamedFile, { start, end }: OwnSpan): Promise<number | undefined> {
  return withPictures(file, async (sink) => {
    const key = await keyPacketAt(sink, start, { metadataOnly: true })
    return key && key.timestamp < end ? key.timestamp : undefined
  })
}

/** Writes what is needed to show a span, from its keyframe on, with `shift` seconds added to the times. */
export function feedPicture(
  file: NamedFile,
  { start, end }: OwnSpan,
  shift: number,
  write: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  const ahead = readAhead(file.source, WINDOW)
  return withPictures({ ...file, source: ahead }, async (sink, track) => {
    const writer = createMatroskaWriter(await describe(track), write)
    const key = await keyPacketAt(sink, start)
    ahead.begin()
    for await (const packet of sink.packets(key ?? undefined)) {
      if (packet.timestamp >= end) break
      const time = Math.round((packet.timestamp + shift) * TICKS_PER_SECOND)
      await writer.add(packet.data, Math.max(0, time), packet.type === 'key')
    }
    await writer.end()
  })
}

const withPictures = <T>(file: NamedFile, use: (sink: EncodedPacketSink, track: InputVideoTrack) => Promise<T>) =>
  withWebm(file, async (input) => {
    const track = (await input.getPrimaryVideoTrack()) as InputVideoTrack // planned by it
    return use(new EncodedPacketSink(track), track)
  })

async function keyPacketAt(
  sink: EncodedPacketSink,
  time: number,
  options: { metadataOnly?: boolean } = {},
): Promise<EncodedPacket | null> {
  return (await sink.getKeyPacket(time, options)) ?? (await sink.getFirstKeyPacket(options))
}

const CODEC_IDS: Readonly<Record<string, string>> = { vp8: 'V_VP8', vp9: 'V_VP9', avc: 'V_MPEG4/ISO/AVC' }

async function describe(track: InputVideoTrack): Promise<MatroskaTrack> {
  const description = (await track.getDecoderConfig())?.description
  return {
    type: 'video',
    codecId: CODEC_IDS[(await track.getCodec()) ?? ''] ?? '',
    configuration: description && bytesOf(description),
    width: await track.getCodedWidth(),
    height: await track.getCodedHeight(),
  }
}

const bytesOf = (description: NonNullable<VideoDecoderConfig['description']>) =>
  ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description)
