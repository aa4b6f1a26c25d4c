import type { PlaylistPiece, Rendition } from '../hls/media-playlist.ts'
import type { Cut } from './plan-cuts.ts'
import type { PublishedTrack } from './published-track.ts'
import { type TrimmedTrack, trimTrack } from './trim-track.ts'

export interface JoinedTracks {
  /** What is played of each part. */
  readonly parts: readonly Rendition[]
  /** The objects that are new. */
  readonly seams: TrimmedTrack['seams']
}

/**
 * Joins the same track of every part, where its plan says. Sound ends with the packet nearest to the first one of the part that
 * follows, so that at most half a packet is heard twice or is missing.
 * @param seamUri names the object of a seam by its part and its place in it, both from 0
 */
export async function joinTracks(
  tracks: readonly PublishedTrack[],
  cuts: readonly Cut[],
  seamUri: (part: number, place: number) => string,
): Promise<JoinedTracks> {
  const trimmed: TrimmedTrack[] = []
  let next: TrimmedTrack | undefined
  for (const [part, track] of [...tracks.entries()].reverse()) {
    const { from, until } = cuts[part] as Cut
    const ahead = (cuts[part + 1]?.offset ?? 0) - (cuts[part]?.offset ?? 0)
    const soundUntil = until === undefined || !next ? until : ahead + next.start
    const bounds = { from, until: track.type === 'audio' ? soundUntil : until }
    next = await trimTrack(track, bounds, (place) => seamUri(part, place))
    trimmed.unshift(next)
  }
  return {
    parts: tracks.map(({ rendition: { initUri } }, part) => ({ initUri, pieces: trimmed[part]?.pieces ?? [] })),
    seams: trimmed.flatMap(({ seams }) => seams),
  }
}

/** All parts as one rendition, for what a master playlist says of it. */
export const asOneRendition = (parts: readonly Rendition[]): Rendition => ({
  initUri: parts[0]?.initUri ?? '',
  pieces: parts.flatMap(({ pieces }): readonly PlaylistPiece[] => pieces),
})
