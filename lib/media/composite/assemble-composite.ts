import { EncodedPacketSink, type Input, type InputAudioTrack, type InputVideoTrack } from 'mediabunny'
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
/** Ticks per second of the whole file. */
const TIMESCALE = 1000
/** Pieces whose index is read side by side, since each takes many small reads. */
const CONCURRENCY = 8
/** Bytes of a file that are fetched at once. */
const WINDOW = { window: 4 * 2 ** 20, kept: 3 } as const
/** The index in front of a fragmented file describes its tracks and no packet. */
const MAX_FRONT = 64 * 1024

type TrackType = MovieTrack['type']

/**
 * Joins the pieces of a composite and its audio (null when there is none) to one MP4 with its index in front, without encoding
 * again. Reads the pieces' indexes for the front of the file, then each piece once. Holds the index, a second of packets and a
 * few windows in memory. Equal pieces give equal bytes.
 * @throws {@link MediaError} when pieces do not fit together or some are missing
 */
export async function* assembleComposite(
  pieces: readonly ByteSource[],
  audio: ByteSource | null,
  { width, height, frames }: Pick<CompositePlan, 'width' | 'height' | 'frames'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const video = await surveyVideo(pieces)
  if (video.packets.count !== frames)
    throw new MediaError(`The composite is incomplete: its pieces have ${video.packets.count} of ${frames} frames.`)
  const framesBy = (second: number) => second * FRAMES_PER_SECOND
  const tracks = [{ ...trackOf('video', video, { skipped: 0, played: frames }, framesBy), size: { width, height } }]
  const packets = [packetsOfAll(pieces)]
  if (audio) {
    const { keys: _, ...heard } = await survey(audio, 'audio') // every packet of audio is one
    const samples = (frames * SAMPLES_PER_SECOND) / FRAMES_PER_SECOND
    const span = { skipped: AAC_SAMPLES, played: Math.min(heard.packets.ticks - AAC_SAMPLES, samples) }
    const packetsBy = (second: number) => Math.ceil((second * SAMPLES_PER_SECOND) / AAC_SAMPLES) + 1
    tracks.push({ ...trackOf('audio', heard, span, packetsBy), size: { width: 0, height: 0 } })
    packets.push(packetsOf(audio, 'audio'))
  }
  yield writeFront(box('ftyp', text('isom'), u32(0x200), ...['isom', 'iso2', 'avc1', 'mp41'].map(text)), {
    timescale: TIMESCALE,
    versions: { headers: 0, edits: 0, media: 1 },
    hasLongOffsets: true,
    tracks,
  })
  yield* interleave(tracks, packets)
}

type Survey = Pick<MovieTrack, 'packets' | 'description'> & { readonly keys?: readonly number[] }

/**
 * Describes a track whose packets are stored in chunks of a second.
 * @param span ticks at the beginning that are decoded and not played, and those that are played
 * @param packetsBy returns how many packets there are by the end of a second, counted from 1
 */
function trackOf(
  type: TrackType,
  { packets, ...survey }: Survey,
  { skipped, played }: { readonly skipped: number; readonly played: number },
  packetsBy: (second: number) => number,
): MovieTrack {
  const timescale = type === 'video' ? FRAMES_PER_SECOND : SAMPLES_PER_SECOND
  const duration = Math.round((played * TIMESCALE) / timescale)
  const chunks: number[] = []
  for (let stored = 0; stored < packets.count; ) {
    const end = Math.min(packets.count, packetsBy(chunks.length + 1))
    chunks.push(end - stored)
    stored = end
  }
  const edits = [{ duration, mediaTime: skipped }]
  return { type, flags: 7, duration, edits, timescale, handlerName: '\0', ...survey, packets, chunks }
}

async function surveyVideo(pieces: readonly ByteSource[]): Promise<Survey> {
  const surveys: Survey[] = []
  for (let done = 0; done < pieces.length; done += CONCURRENCY)
    surveys.push(...(await Promise.all(pieces.slice(done, done + CONCURRENCY).map((piece) => survey(piece, 'video')))))
  const [first] = surveys
  if (!first) throw new MediaError('A composite without pieces has nothing to show.')
  const packets = createPacketTable()
  const keys: number[] = []
  for (const [index, one] of surveys.entries()) {
    if (!one.description.equals(first.description))
      throw new MediaError(`Piece ${index} of the composite does not fit the first one: it was encoded otherwise.`)
    for (const key of one.keys ?? []) keys.push(packets.count + key)
    for (const size of one.packets.sizes) packets.add(size, 1)
  }
  return { packets, keys, description: first.description }
}

async function survey(source: ByteSource, type: TrackType): Promise<Survey> {
  const description = await readDescription(source)
  const packets = createPacketTable()
  const keys: number[] = []
  await withMp4(source, async ({ input }) => {
    const sink = new EncodedPacketSink(await inputTrackOf(input, type))
    for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
      if (packet.type === 'key') keys.push(packets.count)
      packets.add(packet.byteLength, type === 'video' ? 1 : AAC_SAMPLES)
    }
  })
  return { packets, keys, description }
}

/** Returns the `stsd` box of the only track (ISO/IEC 14496-12, 8.5.2). */
async function readDescription(source: ByteSource): Promise<Buffer> {
  const front = Buffer.from(await source.read(0, Math.min(MAX_FRONT, source.size)))
  const content = findBox(front, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'])
  if (!content) throw new MediaError('A piece of the composite is damaged: it has no sample description at its front.')
  return box('stsd', content)
}

async function* interleave(tracks: readonly MovieTrack[], data: readonly AsyncGenerator<Uint8Array, void>[]) {
  const taken = tracks.map(() => 0)
  try {
    for (let chunk = 0; tracks.some(({ chunks }) => chunk < chunks.length); chunk++) {
      for (const [index, { chunks, packets, type }] of tracks.entries()) {
        const part: Uint8Array[] = []
        for (let n = 0; n < (chunks[chunk] ?? 0); n++) {
          const { value } = await (data[index] as AsyncGenerator<Uint8Array, void>).next()
          if (value?.length !== packets.sizes[taken[index] as number])
            throw new MediaError(`The composite’s ${type} is cut off, or has changed while it was read.`)
          taken[index] = (taken[index] as number) + 1
          part.push(value as Uint8Array)
        }
        if (part.length > 0) yield Buffer.concat(part)
      }
    }
  } finally {
    for (const one of data) await one.return()
  }
}

async function* packetsOfAll(pieces: readonly ByteSource[]): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) yield* packetsOf(piece, 'video')
}

function packetsOf(source: ByteSource, type: TrackType): AsyncGenerator<Uint8Array, void> {
  const ahead = readAhead(source, WINDOW)
  return streamMp4<Uint8Array>(ahead, async function* ({ input }) {
    const sink = new EncodedPacketSink(await inputTrackOf(input, type))
    ahead.begin()
    for await (const { data } of sink.packets()) yield data
  })
}

async function inputTrackOf(input: Input, type: TrackType): Promise<InputVideoTrack | InputAudioTrack> {
  const track = type === 'video' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack()
  if (track) return track
  throw new MediaError(`A piece of the composite has no ${type}.`)
}
