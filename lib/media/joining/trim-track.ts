import type { PieceIndex, PieceRange } from '../hls/layout.ts'
import { type Bounds, cutSeam, MIN_FRAME_DURATION } from './cut-seam.ts'
import { endOf, type PublishedTrack } from './published-track.ts'

/** Consecutive segments: a range of an object of the part, or a segment that was cut. */
export interface TrimmedPiece {
  /** URI of the object, or of the one that a seam is cut from. */
  readonly uri: string
  /** Bytes of a seam; its index counts from its own beginning. */
  readonly bytes?: Buffer
  readonly index: PieceIndex
}

/** Seconds: less than any packet, and more than the rounding error of a time. */
const ROUNDING = 0.002

/**
 * Trims a track to the bounds: cuts only segments that a bound divides. The first segment of a video begins at `from`.
 * @returns the pieces that are played, and the seconds of the part at which they begin and end
 */
export async function trimTrack(track: PublishedTrack, bounds: Bounds) {
  const { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = bounds
  const isVideo = track.type === 'video'
  const begins = ({ start }: PieceRange) => start >= from - ROUNDING
  const ends = (range: PieceRange) => endOf(range) <= until + ROUNDING
  const isBefore = (range: PieceRange) => endOf(range) <= from + ROUNDING
  const isBeyond = ({ start }: PieceRange) => start >= until - (isVideo ? MIN_FRAME_DURATION : ROUNDING)

  const pieces: TrimmedPiece[] = []
  for (const { uri, index } of track.rendition.pieces) {
    let whole: PieceRange[] = []
    const flush = () => {
      if (whole.length > 0) pieces.push({ uri, index: { segments: whole, iframes: within(index.iframes, whole) } })
      whole = []
    }
    for (const segment of index.segments) {
      if (isBefore(segment) || isBeyond(segment)) continue
      if (begins(segment) && ends(segment)) {
        whole.push(segment)
        continue
      }
      flush()
      const seam = await cutSeam(track, { ...segment, uri }, bounds)
      if (seam) pieces.push({ uri, ...seam })
    }
    flush()
  }
  const shown = isVideo && bounds.until !== undefined ? endingAt(pieces, bounds.until) : pieces
  const segments = shown.flatMap(({ index }) => index.segments)
  const last = segments.at(-1)
  return { pieces: shown, start: segments[0]?.start ?? from, end: last ? endOf(last) : until }
}

/** Returns the I-frames of consecutive segments. */
function within(iframes: readonly PieceRange[], segments: readonly PieceRange[]): PieceRange[] {
  const [first, last] = [segments[0], segments.at(-1)]
  if (!first || !last) return []
  return iframes.filter(({ offset }) => offset >= first.offset && offset < last.offset + last.size)
}

/** Extends the last frame to `until`, so that dropping frames below the minimum duration leaves no gap. */
const endingAt = (pieces: readonly TrimmedPiece[], until: number): TrimmedPiece[] => {
  const lastOf = (part: keyof PieceIndex) => pieces.flatMap(({ index }) => index[part]).at(-1)
  const last = [lastOf('segments'), lastOf('iframes')]
  const stretched = (range: PieceRange) => (last.includes(range) ? { ...range, duration: until - range.start } : range)
  return pieces.map(({ index, ...piece }) => ({
    ...piece,
    index: { segments: index.segments.map(stretched), iframes: index.iframes.map(stretched) },
  }))
}
