import type { ByteRange } from '../hls/layout.ts'
import type { Rendition } from '../hls/playlists/media-playlist.ts'

/** One rendition of a part as it has been published. URIs are those by which the joined presentation names its objects. */
export interface PublishedTrack {
  readonly type: 'video' | 'audio'
  readonly rendition: Rendition
  /** Reads one of its objects: this range of it, or all. */
  readonly read: (uri: string, range?: Pick<ByteRange, 'offset' | 'size'>) => Promise<Uint8Array>
}

/** A segment and the object it lies in. */
export interface PlacedSegment extends ByteRange {
  readonly uri: string
}

export const segmentsOf = ({ rendition }: PublishedTrack): PlacedSegment[] =>
  rendition.pieces.flatMap(({ uri, index }) => index.segments.map((range) => ({ ...range, uri })))

export const endOf = ({ start, duration }: Pick<ByteRange, 'start' | 'duration'>): number => start + duration

/** Seconds of the part at which its track ends; 0 for one that has nothing. */
export const trackEnd = (track: PublishedTrack): number =>
  segmentsOf(track).reduce((end, one) => Math.max(end, endOf(one)), 0)
