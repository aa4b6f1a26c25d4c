import type { ByteRange, PieceIndex } from '../hls/layout.ts'
import type { PlaylistPiece, Rendition } from '../hls/playlists/media-playlist.ts'
import { type Move, moveFragments } from './move-fragments.ts'
import type { Cut } from './plan-cuts.ts'
import type { PublishedTrack } from './published-track.ts'
import { readInit } from './read-segments.ts'
import { readWindows } from './read-windows.ts'
import { type TrimmedPiece, trimTrack } from './trim-track.ts'

export interface JoinedTracks {
  /** What is played, one for each timeline. */
  readonly runs: readonly Rendition[]
  /** The objects that are new. */
  readonly objects: readonly NewObject[]
}

export interface NewObject {
  readonly uri: string
  /** Read anew each time. */
  readonly content: () => AsyncIterable<Uint8Array>
}

/** A range of an object, copied to another time: the same always has the same bytes. */
export interface Copy {
  readonly uri: string
  /** In bytes, as `end`, which is exclusive. */
  readonly start: number
  readonly end: number
  readonly ticks: number
}

export interface JoinOptions {
  /** Whether a part begins a timeline of its own, see beginsAnew. */
  readonly startsTimeline: (part: number) => boolean
  /** Names a copy by its part, from 0, and by what is in it. */
  readonly copyUri: (part: number, copy: Copy) => string
  /** Names what is cut anew by its part and its place in it, both from 0. */
  readonly seamUri: (part: number, place: number) => string
}

/** Seconds: half a packet of audio, of 2,048 samples at 44,100 a second, and a little. */
const TOUCHING = 0.025

/** Whether a part cannot go on where the one before it ends, since a player has to be set up anew for one of its tracks. */
export const findTimelineStarts =
  (tracks: readonly (readonly PublishedTrack[])[]) =>
  (part: number): boolean =>
    part === 0 || tracks.some((parts) => parts[part]?.rendition.initUri !== parts[part - 1]?.rendition.initUri)

/**
 * Joins the same track of every part, where its plan says, on one timeline: the first part is played by its own objects, those
 * that follow by copies of theirs that differ in nothing but their times. What begins anew is again played by its own. Audio ends
 * with the packet nearest to the first one of the part that follows, which goes on right behind it: so no audio is heard twice
 * or missed for more than half a packet, nor is it ever further from its picture.
 * @throws MediaError when a segment is damaged; whatever a track rejects with, unchanged
 */
export async function joinTracks(
  tracks: readonly PublishedTrack[],
  cuts: readonly Cut[],
  { startsTimeline, copyUri, seamUri }: JoinOptions,
): Promise<JoinedTracks> {
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
  /** Undefined for one that is the part's own. */
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
    const [first, last] = [index.segments[0], index.segments.at(-1)] as [ByteRange, ByteRange]
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
  const moved = (range: ByteRange) => ({ ...range, offset: range.offset - begin })
  return { segments: segments.map(moved), iframes: iframes.map(moved) }
}

interface Wish {
  /** Seconds of the part. */
  readonly start: number
  /** Seconds of the timeline at which the part's time 0 is to lie. */
  readonly planned: number
  readonly timescale: number
}

/** Ticks by which a part is moved, so that its start touches the end of what is before it, or lies behind it as planned. */
function ticksTo(end: number, { start, planned, timescale }: Wish): number {
  const isTouching = planned + start - end < TOUCHING
  return isTouching ? Math.round(end * timescale) - Math.round(start * timescale) : Math.round(planned * timescale)
}

/** All runs as one rendition, for what a master playlist says of it. */
export const asOneRendition = (runs: readonly Rendition[]): Rendition => ({
  initUri: runs[0]?.initUri ?? '',
  pieces: runs.flatMap(({ pieces }): readonly PlaylistPiece[] => pieces),
})
