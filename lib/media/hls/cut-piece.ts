import type { ByteSource } from '../byte-source.ts'
import { withMp4 } from '../open-mp4.ts'
import { writeInitSegment } from './init-segment.ts'
import { type Layout, layOut, type PieceIndex } from './layout.ts'
import { readAhead } from './read-ahead.ts'
import { dataOf, listSamples, type SampleList, type Span } from './samples.ts'
import { type FoundTrack, findTracks } from './tracks.ts'

/** What there is of a track beside the bytes that were handed out. */
export interface CutTrack {
  readonly init: Buffer
  readonly index: PieceIndex
}

export interface CutPiece {
  readonly video: CutTrack | null
  readonly audio: CutTrack | null
}

export type TrackName = keyof CutPiece

/** Takes the bytes of a track's object in their order; the next ones wait until it is done. They are the taker's to keep. */
export type TakeBytes = (track: TrackName, bytes: Buffer) => Promise<void>

export interface CutOptions {
  /** Which tracks are cut; default both. */
  readonly tracks?: readonly TrackName[]
}

interface Cutting extends CutTrack, Layout {
  readonly name: TrackName
  readonly timescale: number
  readonly list: SampleList
}

/** What is handed out at once, about; more time of sound would run far ahead of the picture in the file. */
const CHUNK_BYTES = 512 * 1024
const CHUNK_SECONDS = 1

/**
 * Cuts a piece out of a recording without encoding: hands out, for each track, the bytes of an object of CMAF segments that
 * follow one another, picture and sound in step as they lie in the file, so that neither waits in memory. A track that has
 * nothing in the piece has an object of no bytes. The same piece always gives the same bytes.
 * @throws MediaError as planPieces does, and when the file ends before its index says so; whatever the source rejects with,
 *   unchanged
 */
export function cutPiece(
  source: ByteSource,
  piece: Span,
  take: TakeBytes,
  { tracks = ['video', 'audio'] }: CutOptions = {},
): Promise<CutPiece> {
  const ahead = readAhead(source)
  return withMp4(ahead, async ({ input }) => {
    const found = await findTracks(input)
    const prepare = async (name: TrackName) => {
      const track = tracks.includes(name) ? found[name] : undefined
      return track ? prepareTrack(name, track, piece) : null
    }
    const [video, audio] = [await prepare('video'), await prepare('audio')]
    ahead.begin()
    await copy(
      [video, audio].filter((track) => track !== null),
      take,
    )
    return { video: video && resultOf(video), audio: audio && resultOf(audio) }
  })
}

const resultOf = ({ init, index }: Cutting): CutTrack => ({ init, index })

async function prepareTrack(name: TrackName, found: FoundTrack, piece: Span): Promise<Cutting> {
  const list = await listSamples(found, piece)
  const { facts } = found
  return { name, timescale: facts.timescale, list, init: writeInitSegment(facts), ...layOut(list.samples, facts) }
}

/** Goes through all tracks at once by the time of decoding, which is about how they are interleaved. */
async function copy(tracks: readonly Cutting[], take: TakeBytes): Promise<void> {
  const cursors = tracks.map((track) => ({ steps: stepsOf(track), time: Number.NEGATIVE_INFINITY, track }))
  const left = new Set(cursors)
  while (left.size > 0) {
    const cursor = [...left].reduce((a, b) => (b.time < a.time ? b : a))
    const { value, done } = await cursor.steps.next()
    if (done) left.delete(cursor)
    else {
      cursor.time = value.time
      await take(cursor.track.name, value.bytes)
    }
  }
}

async function* stepsOf({ fragments, list, timescale }: Cutting) {
  const packets = list.packets()
  let waiting: Uint8Array[] = []
  let size = 0
  let start = Number.NEGATIVE_INFINITY
  const flush = (time: number) => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    size = 0
    start = time
    return { bytes, time }
  }
  for (const { head, samples } of fragments) {
    waiting.push(head)
    for (const sample of samples) {
      waiting.push(await dataOf(packets, sample))
      size += sample.size
      const time = sample.slot / timescale
      if (size >= CHUNK_BYTES || time - start >= CHUNK_SECONDS) yield flush(time)
    }
  }
  if (waiting.length > 0) yield flush(start)
  await packets.return()
}
