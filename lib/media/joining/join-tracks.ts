import type { PieceIndex, PieceRange } from '../hls/layout.ts'
import type { PlaylistPiece, Rendition } from '../hls/playlists/media-playlist.ts'
import { type Move, moveFragments } from './move-fragments.ts'
import type { Cut } from './plan-cuts.ts'
import type { PublishedTrack } from './published-track.ts'
import { readInit } from './read-segments.ts'
import { type TrimmedPiece, trimTrack } from './trim-track.ts'

export interface NewObject {
  readonly uri: string
  /** Returns the content; may be called repeatedly. */
  readonly content: () => AsyncIterable<Uint8Array>
}

/** A range of an object, copied to another time. Equal copies have equal bytes. */
export interface Copy {
  readonly uri: string
  /** Bytes; `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly ticks: number
}

export interface TrackJoinOptions {
  /** Returns true for a part that begins a timeline, see findTimelineStarts. */
  readonly startsTimeline: (part: number) => boolean
  /** Returns the URI of a copy by its part, from 0, and by its content. */
  readonly copyUri: (part: number, copy: Copy) => string
  /** Returns the URI of a cut segment by its part and its number in it, both from 0. */
  readonly seamUri: (part: number, place: number) => string
}

/** Seconds: a little more than half a packet of audio, of 2,048 samples at 44,100 Hz. */
const TOUCHING = 0.025

/** Returns a predicate of parts that start a timeline, since one of their tracks has another init segment. */
export const findTimelineStarts =
  (tracks: readonly (readonly PublishedTrack[])[]) =>
  (part: number): boolean =>
    part === 0 || tracks.some((parts) => parts[part]?.rendition.initUri !== parts[part - 1]?.rendition.initUri)

/**
 * Joins one track of every part at its planned place on one timeline. The first part is played from its own objects,
 * the following ones from copies that differ only in their times; a part that begins a timeline is played from its own
 * objects again. Audio ends with the packet nearest to the first packet of the next part, which follows without a gap:
 * no audio is repeated or missing for more than half a packet, nor further from its picture.
 * @returns renditions, one for each timeline, and the objects that they need
 * @throws {@link MediaError} when a segment is damaged; errors of the track pass through unchanged
 */
export async function joinTracks(
  tracks: readonly PublishedTrack[],
  cuts: readonly Cut[],
  { startsTimeline, copyUri, seamUri }: TrackJoinOptions,
) {
  const starts = await Promise.all(
    tracks.map(async (track, part) => (await trimTrack(track, { from: cuts[part]?.from })).start),
  )
  const runs: { initUri: string; pieces: PlaylistPiece[] }[] = []
  const objects: NewObject[] = []
  let base = 0
  let end = 0
  for (const [part, track] of tracks.entries()) {
    const { offset, from, until } = cuts[part] as Cut
    const { timescale } = await readInit(track)
    const start = starts[part] as number
    if (startsTimeline(part)) base = offset
    const ticks = startsTimeline(part) ? 0 : ticksTo(end, { start, planned: offset - base, timescale })
    const place = ticks / timescale
    const next = cuts[part + 1]
    const audioUntil = next && next.offset + (starts[part + 1] as number) - base - place
    const trimmed = await trimTrack(track, { from, until: track.type === 'audio' ? audioUntil : until })
    if (trimmed.pieces.length > 0) end = place + trimmed.end

    if (startsTimeline(part)) runs.push({ initUri: track.rendition.initUri, pieces: [] })
    const placed = placePieces(trimmed.pieces, { ticks, timescale }, track, {
      copyUri: (copy) => copyUri(part, copy),
      seamUri: (seam) => seamUri(part, seam),
    })
    runs.at(-1)?.pieces.push(...placed.map(({ piece }) => piece))
    objects.push(...placed.flatMap(({ object }) => object ?? []))
  }
  return { runs, objects }
}

interface Placed {
  readonly piece: PlaylistPiece
  /** Undefined for an object of the part itself. */
  readonly object?: NewObject
}

interface Names {
  readonly copyUri: (copy: Copy) => string
  readonly seamUri: (seam: number) => string
}

function placePieces(
  pieces: readonly TrimmedPiece[],
  move: Move,
  track: PublishedTrack,
  { copyUri, seamUri }: Names,
): Placed[] {
  let seams = 0
  return pieces.map(({ uri, bytes, index }) => {
    if (bytes) {
      const own = seamUri(seams++)
      return { piece: { uri: own, index }, object: { uri: own, content: () => moveFragments(alone(bytes), move) } }
    }
    if (move.ticks === 0) return { piece: { uri, index } }
    const [first, last] = [index.segments[0], index.segments.at(-1)] as [PieceRange, PieceRange]
    const range = { start: first.offset, end: last.offset + last.size }
    const own = copyUri({ uri, ...range, ticks: move.ticks })
    return {
      piece: { uri: own, index: countedFrom(range.start, index) },
      object: { uri: own, content: () => moveFragments(readWindows(track, uri, range), move) },
    }
  })
}

async function* alone(bytes: Buffer) {
  yield bytes
}

const countedFrom = (begin: number, { segments, iframes }: PieceIndex): PieceIndex => {
  const moved = (range: PieceRange) => ({ ...range, offset: range.offset - begin })
  return { segments: segments.map(moved), iframes: iframes.map(moved) }
}

interface Wish {
  /** Seconds of the part. */
  readonly start: number
  /** Planned seconds of the timeline for the part's time 0. */
  readonly planned: number
  readonly timescale: number
}

/** Returns the ticks that move a part's start to the end of the one before it, or behind it as planned. */
function ticksTo(end: number, { start, planned, timescale }: Wish): number {
  const isTouching = planned + start - end < TOUCHING
  return isTouching ? Math.round(end * timescale) - Math.round(start * timescale) : Math.round(planned * timescale)
}

/** Merges all runs into one rendition, for the figures of a master playlist. */
export const asOneRendition = (runs: readonly Rendition[]): Rendition => ({
  initUri: runs[0]?.initUri ?? '',
  pieces: runs.flatMap(({ pieces }): readonly PlaylistPiece[] => pieces),
})

/** Bytes that are read at once; two windows are in memory. */
const WINDOW = 8 * 2 ** 20

/** Reads a range of an object in windows, the next one while the caller uses the last. */
async function* readWindows(
  { read }: Pick<PublishedTrack, 'read'>,
  uri: string,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  const next = (offset: number) => {
    if (offset >= end) return undefined
    const reading = read(uri, { offset, size: Math.min(WINDOW, end - offset) })
    reading.catch(() => {}) // awaited in its turn
    return reading
  }
  let coming = next(start)
  for (let offset = start; coming; offset += WINDOW) {
    const window = await coming
    coming = next(offset + WINDOW)
    yield window
  }
}
