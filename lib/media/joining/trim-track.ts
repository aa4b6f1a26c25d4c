import type { PieceIndex } from '../hls/layout.ts'
import type { PlaylistPiece } from '../hls/media-playlist.ts'
import { type Bounds, cutSeam, LEAST_SHOWN } from './cut-seam.ts'
import { endOf, type PublishedTrack } from './published-track.ts'

export interface TrimmedTrack {
  /** What is played of the part: its own objects, and the seams in between. */
  readonly pieces: readonly PlaylistPiece[]
  /** The objects that are new. */
  readonly seams: readonly { readonly uri: string; readonly bytes: Buffer }[]
  /** Seconds of the part. */
  readonly start: number
  readonly end: number
}

/** Seconds: less than any packet, more than a time may lose on its way. */
const ROUNDING = 0.002

type Range = PieceIndex['segments'][number]

/**
 * Takes what lies between the bounds out of a track: whole segments as they are, and a segment that a bound divides cut anew.
 * The first segment of a video begins at `from`.
 * @param seamUri names the object of a seam by its place, from 0
 */
export async function trimTrack(
  track: PublishedTrack,
  bounds: Bounds,
  seamUri: (place: number) => string,
): Promise<TrimmedTrack> {
  const { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = bounds
  const isVideo = track.type === 'video'
  const begins = ({ start }: Range) => start >= from - ROUNDING
  const ends = (range: Range) => endOf(range) <= until + ROUNDING
  const isBefore = (range: Range) => endOf(range) <= from + ROUNDING
  const isBeyond = ({ start }: Range) => start >= until - (isVideo ? LEAST_SHOWN : ROUNDING)

  const pieces: PlaylistPiece[] = []
  const seams: TrimmedTrack['seams'][number][] = []
  for (const { uri, index } of track.rendition.pieces) {
    const iframes = index.iframes.filter((range) => begins(range) && !isBeyond(range))
    let whole: Range[] = []
    const flush = (pictures: readonly Range[]) => {
      if (whole.length + pictures.length > 0) pieces.push({ uri, index: { segments: whole, iframes: pictures } })
      whole = []
    }
    for (const segment of index.segments) {
      if (isBefore(segment) || isBeyond(segment)) continue
      if (begins(segment) && ends(segment)) {
        whole.push(segment)
        continue
      }
      const seam = await cutSeam(track, { ...segment, uri }, bounds)
      if (!seam) continue
      flush([])
      const seamAt = seamUri(seams.length)
      seams.push({ uri: seamAt, bytes: seam.bytes })
      pieces.push({ uri: seamAt, index: { segments: seam.index.segments, iframes: [] } })
    }
    flush(iframes)
  }
  const shown = isVideo && bounds.until !== undefined ? endingAt(pieces, bounds.until) : pieces
  const segments = shown.flatMap(({ index }) => index.segments)
  const last = segments.at(-1)
  return { pieces: shown, seams, start: segments[0]?.start ?? from, end: last ? endOf(last) : until }
}

/** The last picture stays until then; what is left out for being shown too shortly leaves no gap. */
const endingAt = (pieces: readonly PlaylistPiece[], until: number): PlaylistPiece[] => {
  const lastOf = (part: keyof PieceIndex) => pieces.flatMap(({ index }) => index[part]).at(-1)
  const last = [lastOf('segments'), lastOf('iframes')]
  const stretched = (range: Range) => (last.includes(range) ? { ...range, duration: until - range.start } : range)
  return pieces.map(({ uri, index }) => ({
    uri,
    index: { segments: index.segments.map(stretched), iframes: index.iframes.map(stretched) },
  }))
}
