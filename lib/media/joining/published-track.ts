import type { PieceRange } from '../hls/layout.ts'
import type { Rendition } from '../hls/playlists/media-playlist.ts'

/** A published rendition of a part. URIs are those of the joined presentation. */
export interface PublishedTrack {
  readonly type: 'video' | 'audio'
  readonly rendition: Rendition
  /** Reads an object, or a range of it. */
  readonly read: (uri: string, range?: Pick<PieceRange, 'offset' | 'size'>) => Promise<Uint8Array>
}

/** A segment and the object that holds it. */
export interface PlacedSegment extends PieceRange {
  readonly uri: string
}

export const segmentsOf = ({ rendition }: PublishedTrack): PlacedSegment[] =>
  rendition.pieces.flatMap(({ uri, index }) => index.segments.map((range) => ({ ...range, uri })))

/** Returns the end of a segment in seconds. */
export const endOf = ({ start, duration }: Pick<PieceRange, 'start' | 'duration'>): number => start + duration

/** Returns the seconds of the part at which its track ends; 0 for an empty one. */
export const trackEnd = (track: PublishedTrack): number =>
  segmentsOf(track).reduce((end, one) => Math.max(end, endOf(one)), 0)
