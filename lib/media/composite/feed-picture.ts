import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { bufferOf } from '../byte-source.ts'
import { type NamedFile, withWebm } from '../individual/open-webm.ts'
import { readAhead } from '../read-ahead.ts'
import type { TimeRange } from '../time-range.ts'
import type { Write } from './ffmpeg-pipes.ts'
import { createMatroskaWriter, type MatroskaTrack, TICKS_PER_SECOND } from './matroska-writer.ts'

/** Bytes fetched at once of each of up to 16 files, and the number of windows kept. */
const WINDOW = { window: 2 ** 20, kept: 3 } as const

const CODEC_IDS: Readonly<Record<string, string>> = { vp8: 'V_VP8', vp9: 'V_VP9', avc: 'V_MPEG4/ISO/AVC' }

/**
 * Finds the keyframe from which a time range of a stream can be decoded, and returns its time: the last one before the range,
 * or else the first of the stream. Undefined when the file shows nothing until the end of the range.
 */
export function findKeyframe(file: NamedFile, { start, end }: TimeRange): Promise<number | undefined> {
  return withPictures(file, async (sink) => {
    const key = await keyPacketAt(sink, start, { metadataOnly: true })
    return key && key.timestamp < end ? key.timestamp : undefined
  })
}

/** Writes the packets that show a time range of a stream, from its keyframe on, with `shift` seconds added to their times. */
export function feedPicture(file: NamedFile, { start, end }: TimeRange, shift: number, write: Write): Promise<void> {
  const ahead = readAhead(file.source, WINDOW)
  return withPictures({ ...file, source: ahead }, async (sink, track) => {
    const writer = createMatroskaWriter(await describe(track), write)
    const key = await keyPacketAt(sink, start)
    ahead.begin()
    for await (const { data, timestamp, type } of sink.packets(key ?? undefined)) {
      if (timestamp >= end) break
      await writer.add(data, Math.max(0, Math.round((timestamp + shift) * TICKS_PER_SECOND)), type === 'key')
    }
    await writer.end()
  })
}

const withPictures = <T>(file: NamedFile, use: (sink: EncodedPacketSink, track: InputVideoTrack) => Promise<T>) =>
  withWebm(file, async (input) => {
    const track = (await input.getPrimaryVideoTrack()) as InputVideoTrack // the plan has checked it
    return use(new EncodedPacketSink(track), track)
  })

const keyPacketAt = async (
  sink: EncodedPacketSink,
  time: number,
  options: { metadataOnly?: boolean } = {},
): Promise<EncodedPacket | null> => (await sink.getKeyPacket(time, options)) ?? (await sink.getFirstKeyPacket(options))

async function describe(track: InputVideoTrack): Promise<MatroskaTrack> {
  const description = (await track.getDecoderConfig())?.description
  return {
    codecId: CODEC_IDS[(await track.getCodec()) ?? ''] ?? '',
    configuration: description && bufferOf(description),
    format: { width: await track.getCodedWidth(), height: await track.getCodedHeight() },
  }
}
