import { EncodedPacketSink, type Input, type InputAudioTrack, type InputVideoTrack } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { readAhead } from '../hls/packets/read-ahead.ts'
import { MediaError } from '../media-error.ts'
import { withMp4 } from '../mp4/open-mp4.ts'
import { streamMp4 } from '../mp4/stream-mp4.ts'
import { type CompositeTrack, writeCompositeHead } from './composite-head.ts'
import { SAMPLES_PER_SECOND } from './opus.ts'
import { type CompositePlan, FRAMES_PER_SECOND } from './plan-composite.ts'
import { readSampleDescription } from './sample-description.ts'

/** Samples in a packet of AAC; the encoder puts one packet in front, which players leave out. */
const AAC_SAMPLES = 1024

/** Pieces surveyed side by side: of each fragment of one is read a little, and that waited for. */
const AT_ONCE = 8

/** Bytes of a file that are fetched at once. */
const WINDOW = { window: 4 * 2 ** 20, kept: 3 } as const

/**
 * Joins the pieces of a composite, in their order, and its mixed audio (null when nobody is heard) to one MP4 with its index in
 * front; nothing is encoded again. Goes over the pieces' indexes for the head, and then reads each once; no more than a second
 * of packets and a few windows are in memory, besides the index. Equal pieces give equal bytes.
 * @throws MediaError when pieces do not fit together or are not all of the composite; whatever a source rejects with, unchanged
 */
export async function* assembleComposite(
  pieces: readonly ByteSource[],
  mixed: ByteSource | null,
  { width, height, frames }: Pick<CompositePlan, 'width' | 'height' | 'frames'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const video = await surveyVideo(pieces)
  if (video.sizes.length !== frames)
    throw new MediaError(`The composite is not whole: its pieces have ${video.sizes.length} frames of ${frames}.`)
  const audio = mixed && (await survey(mixed, 'audio'))
  const tracks: CompositeTrack[] = [
    {
      ...{ type: 'video', timescale: FRAMES_PER_SECOND, ticks: 1, skipped: 0, played: frames, width, height },
      ...video,
      chunks: inChunks(frames, (second) => (second + 1) * FRAMES_PER_SECOND),
    },
  ]
  if (audio) {
    const count = audio.sizes.length
    tracks.push({
      ...{
        type: 'audio',
        timescale: SAMPLES_PER_SECOND,
        ticks: AAC_SAMPLES,
        skipped: AAC_SAMPLES,
        width: 0,
        height: 0,
      },
      ...audio,
      played: Math.min(count * AAC_SAMPLES - AAC_SAMPLES, (frames * SAMPLES_PER_SECOND) / FRAMES_PER_SECOND),
      chunks: inChunks(count, (second) => Math.ceil(((second + 1) * SAMPLES_PER_SECOND) / AAC_SAMPLES) + 1),
    })
  }
  yield writeCompositeHead(tracks)
  yield* interleave(tracks, [packetsOfAll(pieces), ...(mixed ? [packetsOf(mixed, 'audio')] : [])])
}

type Survey = Pick<CompositeTrack, 'sizes' | 'keys' | 'description'>

async function surveyVideo(pieces: readonly ByteSource[]): Promise<Survey> {
  const surveys: Survey[] = []
  for (let done = 0; done < pieces.length; done += AT_ONCE)
    surveys.push(...(await Promise.all(pieces.slice(done, done + AT_ONCE).map((piece) => survey(piece, 'video')))))
  const [first] = surveys
  if (!first) throw new MediaError('A composite without pieces has nothing to show.')
  const sizes: number[] = []
  const keys: number[] = []
  for (const [index, one] of surveys.entries()) {
    if (!one.description.equals(first.description))
      throw new MediaError(`Piece ${index} of the composite does not fit the first one: it was encoded otherwise.`)
    for (const key of one.keys) keys.push(sizes.length + key)
    for (const size of one.sizes) sizes.push(size)
  }
  return { sizes, keys, description: first.description }
}

async function survey(source: ByteSource, type: CompositeTrack['type']): Promise<Survey> {
  const description = await readSampleDescription(source)
  const sizes: number[] = []
  const keys: number[] = []
  await withMp4(source, async ({ input }) => {
    const sink = new EncodedPacketSink(await trackOf(input, type))
    for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
      if (packet.type === 'key') keys.push(sizes.length)
      sizes.push(packet.byteLength)
    }
  })
  return { description, sizes, keys }
}

/** Deals packets out to chunks of a second; `endOf` says how many there are by the end of one. */
function inChunks(count: number, endOf: (second: number) => number): number[] {
  const chunks: number[] = []
  for (let dealt = 0; dealt < count; ) {
    const end = Math.min(count, endOf(chunks.length))
    chunks.push(end - dealt)
    dealt = end
  }
  return chunks
}

async function* interleave(tracks: readonly CompositeTrack[], packets: readonly AsyncGenerator<Uint8Array, void>[]) {
  const taken = tracks.map(() => 0)
  try {
    for (let chunk = 0; tracks.some(({ chunks }) => chunk < chunks.length); chunk++) {
      for (const [index, { chunks, sizes, type }] of tracks.entries()) {
        const part: Uint8Array[] = []
        for (let n = 0; n < (chunks[chunk] ?? 0); n++) {
          const { value } = await (packets[index] as AsyncGenerator<Uint8Array, void>).next()
          if (value?.length !== sizes[taken[index] as number])
            throw new MediaError(`The composite’s ${type} is cut off, or has changed while it was read.`)
          taken[index] = (taken[index] as number) + 1
          part.push(value as Uint8Array)
        }
        if (part.length > 0) yield Buffer.concat(part)
      }
    }
  } finally {
    for (const one of packets) await one.return()
  }
}

async function* packetsOfAll(pieces: readonly ByteSource[]): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) yield* packetsOf(piece, 'video')
}

function packetsOf(source: ByteSource, type: CompositeTrack['type']): AsyncGenerator<Uint8Array, void> {
  const ahead = readAhead(source, WINDOW)
  return streamMp4<Uint8Array>(ahead, async function* ({ input }) {
    const sink = new EncodedPacketSink(await trackOf(input, type))
    ahead.begin()
    for await (const { data } of sink.packets()) yield data
  })
}

async function trackOf(input: Input, type: CompositeTrack['type']): Promise<InputVideoTrack | InputAudioTrack> {
  const track = type === 'video' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack()
  if (track) return track
  throw new MediaError(`A piece of the composite has no ${type}.`)
}
