import type { ByteSource } from '../byte-source.ts'
import { withIndex } from '../mp4/tables/with-tables.ts'
import { readAhead } from '../read-ahead.ts'
import { writeInitSegment } from './init-segment.ts'
import { type Fragment, layOut, type PieceLayout } from './layout.ts'
import type { PresentationSpan, SampleList } from './packets/samples.ts'
import { type AudioFacts, type FoundTrack, findTracks, type VideoFacts } from './packets/tracks.ts'

type TrackName = 'video' | 'audio'
/** Receives bytes, whose memory is reused once it resolves. */
type Take = (track: TrackName, bytes: Buffer) => Promise<void>

/** A track's part of a piece: everything but its media. */
export interface OpenTrack<Facts = VideoFacts | AudioFacts> extends PieceLayout {
  readonly name: TrackName
  readonly facts: Facts
  readonly init: Buffer
  readonly list: SampleList
}

export interface OpenPiece {
  readonly video: OpenTrack<VideoFacts> | null
  readonly audio: OpenTrack<AudioFacts> | null
  /** Reads the media once and outputs the bytes of every track’s object. */
  copy(take: Take): Promise<void>
  /** Wraps a function so that its errors pass through withPiece unchanged: they are not the file’s fault. */
  passing<Arguments extends unknown[]>(
    act: (...args: Arguments) => Promise<void>,
  ): (...args: Arguments) => Promise<void>
}

/** Bytes and seconds of a chunk, about; more time of audio would run far ahead of the picture in the file. */
const CHUNK_BYTES = 512 * 1024
const CHUNK_SECONDS = 1

/**
 * Opens a piece of a recording for the duration of `use`. Reads the index first; `copy` reads the media in large
 * windows.
 * @throws as withIndex does; errors of `passing` functions pass through unchanged
 */
export async function withPiece<T>(
  source: ByteSource,
  piece: PresentationSpan,
  tracks: readonly TrackName[],
  use: (piece: OpenPiece) => Promise<T>,
): Promise<T> {
  const ahead = readAhead(source)
  let failure: { readonly error: unknown } | undefined
  const passing: OpenPiece['passing'] =
    (act) =>
    async (...args) => {
      try {
        await act(...args)
      } catch (error) {
        failure ??= { error }
        throw error
      }
    }
  try {
    return await withIndex(ahead, async (mp4) => {
      const found = await findTracks(mp4, ahead)
      const video = tracks.includes('video') && found.video ? await openTrack('video', found.video, piece) : null
      const audio = tracks.includes('audio') && found.audio ? await openTrack('audio', found.audio, piece) : null
      const copy = (take: Take) => {
        ahead.begin()
        return copyTracks(
          [video, audio].filter((track) => track !== null),
          passing(take),
        )
      }
      return use({ video, audio, copy, passing })
    })
  } catch (error) {
    throw failure ? failure.error : error
  }
}

async function openTrack<Facts extends VideoFacts | AudioFacts>(
  name: TrackName,
  found: FoundTrack<Facts>,
  piece: PresentationSpan,
): Promise<OpenTrack<Facts>> {
  const list = await found.packets.list(piece)
  const { facts } = found
  return { name, facts, list, init: writeInitSegment(facts), ...layOut(list.samples, facts) }
}

/** Copies all tracks in the order of decoding, which is about how they are interleaved. */
async function copyTracks(tracks: readonly OpenTrack[], take: Take): Promise<void> {
  const cursors = tracks.map((track) => ({ chunks: chunksOf(track), time: Number.NEGATIVE_INFINITY, track }))
  const left = new Set(cursors)
  while (left.size > 0) {
    const cursor = [...left].reduce((a, b) => (b.time < a.time ? b : a))
    const { value, done } = await cursor.chunks.next()
    if (done) left.delete(cursor)
    else {
      cursor.time = value.time
      await take(cursor.track.name, value.bytes)
    }
  }
}

/** Yields the chunks of a track’s object. Each reuses the memory of the one before. */
async function* chunksOf({ fragments, list, facts: { timescale } }: OpenTrack) {
  const data = list.open()
  let memory = Buffer.alloc(0)
  for (const { parts, size, time } of planChunks(fragments, timescale)) {
    if (memory.length < size) memory = Buffer.allocUnsafeSlow(size)
    const bytes = memory.subarray(0, size)
    let filled = 0
    for (const part of parts) {
      const next = part === 'sample' ? data.next() : part
      const here = next instanceof Uint8Array ? next : await next
      bytes.set(here, filled)
      filled += here.length
    }
    yield { bytes, time }
  }
  await data.close()
}

interface Chunk {
  parts: (Buffer | 'sample')[]
  size: number
  /** Seconds at which its last sample is decoded. */
  time: number
}

function* planChunks(fragments: readonly Fragment[], timescale: number): Generator<Chunk> {
  let chunk: Chunk = { parts: [], size: 0, time: Number.NEGATIVE_INFINITY }
  let start = chunk.time
  for (const { head, samples } of fragments) {
    chunk.parts.push(head)
    chunk.size += head.length
    for (const { size, slot } of samples) {
      chunk.parts.push('sample')
      chunk.size += size
      chunk.time = slot / timescale
      if (chunk.size < CHUNK_BYTES && chunk.time - start < CHUNK_SECONDS) continue
      yield chunk
      start = chunk.time
      chunk = { parts: [], size: 0, time: start }
    }
  }
  if (chunk.parts.length > 0) yield chunk
}
