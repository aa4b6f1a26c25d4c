import { EncodedPacketSink, type Input } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { box, findBox, text, u32 } from '../mp4/boxes.ts'
import { type MovieTrack, writeFront } from '../mp4/movie.ts'
import { withMp4 } from '../mp4/open-mp4.ts'
import { createPacketTable } from '../mp4/packet-table.ts'
import { streamMp4 } from '../mp4/stream-mp4.ts'
import { readAhead } from '../read-ahead.ts'
import { SAMPLES_PER_SECOND } from './opus.ts'
import { type CompositePlan, FRAMES_PER_SECOND } from './plan-composite.ts'

/** Samples in a packet of AAC. The encoder's first packet is priming, which players skip. */
const AAC_SAMPLES = 1024
/** Ticks per second, in a packet, and before what is played. */
const TIMES = {
  video: { timescale: FRAMES_PER_SECOND, packet: 1, skipped: 0 },
  audio: { timescale: SAMPLES_PER_SECOND, packet: AAC_SAMPLES, skipped: AAC_SAMPLES },
} as const
/** Ticks per second of the whole file. */
const TIMESCALE = 1000
/** Pieces whose index is read side by side, since each takes many small reads. */
const CONCURRENCY = 8
/** Bytes of a file that are fetched at once. */
const WINDOW = { window: 4 * 2 ** 20, kept: 3 } as const
/** The index in front of a fragmented file describes its tracks and no packet. */
const MAX_FRONT = 64 * 1024

type Size = Pick<CompositePlan, 'width' | 'height' | 'frames'>

/** A track in files that follow one another. */
interface Media {
  readonly type: MovieTrack['type']
  readonly files: readonly ByteSource[]
}

/**
 * Joins the pieces of a composite and its audio (null when there is none) to one MP4 with its index in front, without encoding
 * again. Reads the pieces' indexes for the front of the file, then each piece once. Holds the index, a second of packets and a
 * few windows in memory. Equal pieces give equal bytes.
 * @throws {@link MediaError} when pieces do not fit together or some are missing
 */
export async function* assembleComposite(
  pieces: readonly ByteSource[],
  audio: ByteSource | null,
  size: Size,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (pieces.length === 0) throw new MediaError('A composite without pieces has nothing to show.')
  const media: Media[] = [{ type: 'video', files: pieces }]
  if (audio) media.push({ type: 'audio', files: [audio] })
  const tracks: MovieTrack[] = []
  for (const one of media) tracks.push(await surveyTrack(one, size))
  yield writeFront(box('ftyp', text('isom'), u32(0x200), ...['isom', 'iso2', 'avc1', 'mp41'].map(text)), {
    timescale: TIMESCALE,
    versions: { headers: 0, edits: 0, media: 1 },
    hasLongOffsets: true,
    tracks,
  })
  yield* interleave(media, tracks)
}

/** Describes a track whose packets are stored in chunks of a second. */
async function surveyTrack({ type, files }: Media, { width, height, frames }: Size): Promise<MovieTrack> {
  const { timescale, packet, skipped } = TIMES[type]
  const packets = createPacketTable()
  const keys: number[] = []
  let description: Buffer | undefined
  for (let done = 0; done < files.length; done += CONCURRENCY) {
    const surveys = await Promise.all(files.slice(done, done + CONCURRENCY).map((file) => surveyFile(file, type)))
    for (const [index, survey] of surveys.entries()) {
      description ??= survey.description
      if (!survey.description.equals(description))
        throw new MediaError(
          `Piece ${done + index} of the composite does not fit the first one: it was encoded otherwise.`,
        )
      for (const key of survey.keys) keys.push(packets.count + key)
      for (const size of survey.packets.sizes) packets.add(size, packet)
    }
  }
  if (type === 'video' && packets.count !== frames)
    throw new MediaError(`The composite is incomplete: its pieces have ${packets.count} of ${frames} frames.`)
  const played = Math.min(packets.ticks - skipped, (frames * timescale) / FRAMES_PER_SECOND)
  const duration = Math.round((played * TIMESCALE) / timescale)
  const chunks: number[] = []
  for (let stored = 0; stored < packets.count; ) {
    const end = Math.ceil(((chunks.length + 1) * timescale + skipped) / packet)
    chunks.push(Math.min(packets.count, end) - stored)
    stored = end
  }
  const edits = [{ duration, mediaTime: skipped }]
  const picture = type === 'video' && { size: { width, height }, keys } // every packet of audio is a key
  const found = { description: description as Buffer, packets, chunks }
  return { type, flags: 7, duration, edits, timescale, handlerName: '\0', ...found, ...picture }
}

async function surveyFile(file: ByteSource, type: Media['type']) {
  const description = await readDescription(file)
  const packets = createPacketTable()
  const keys: number[] = []
  await withMp4(file, async ({ input }) => {
    for await (const packet of (await openTrack(input, type)).packets(undefined, undefined, { metadataOnly: true })) {
      if (packet.type === 'key') keys.push(packets.count)
      packets.add(packet.byteLength, TIMES[type].packet)
    }
  })
  return { packets, keys, description }
}

/** Returns the `stsd` box of the only track (ISO/IEC 14496-12, 8.5.2). */
async function readDescription(file: ByteSource): Promise<Buffer> {
  const front = Buffer.from(await file.read(0, Math.min(MAX_FRONT, file.size)))
  const content = findBox(front, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'])
  if (!content) throw new MediaError('A piece of the composite is damaged: it has no sample description at its front.')
  return box('stsd', content)
}

async function* interleave(media: readonly Media[], tracks: readonly MovieTrack[]) {
  const readers = tracks.map((track, index) => ({ ...track, data: packetsOf(media[index] as Media), taken: 0 }))
  try {
    for (let chunk = 0; readers.some(({ chunks }) => chunk < chunks.length); chunk++) {
      for (const reader of readers) {
        const part: Uint8Array[] = []
        while (part.length < (reader.chunks[chunk] ?? 0)) {
          const { value } = await reader.data.next()
          if (!value || value.length !== reader.packets.sizes[reader.taken++])
            throw new MediaError(`The composite’s ${reader.type} is cut off, or has changed while it was read.`)
          part.push(value)
        }
        if (part.length > 0) yield Buffer.concat(part)
      }
    }
  } finally {
    for (const { data } of readers) await data.return()
  }
}

async function* packetsOf({ type, files }: Media): AsyncGenerator<Uint8Array, void> {
  for (const file of files) {
    const ahead = readAhead(file, WINDOW)
    yield* streamMp4<Uint8Array>(ahead, async function* ({ input }) {
      const sink = await openTrack(input, type)
      ahead.begin()
      for await (const { data } of sink.packets()) yield data
    })
  }
}

async function openTrack(input: Input, type: Media['type']): Promise<EncodedPacketSink> {
  const track = type === 'video' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack()
  if (track) return new EncodedPacketSink(track)
  throw new MediaError(`A piece of the composite has no ${type}.`)
}
