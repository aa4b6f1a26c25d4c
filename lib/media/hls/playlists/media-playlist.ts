import type { PieceIndex, PieceRange } from '../layout.ts'
import { quotable } from './uris.ts'

/** The object of one piece of a rendition; its URI is relative to the playlist. */
export interface PlaylistPiece {
  readonly uri: string
  readonly index: PieceIndex
}

/** One rendition: a track of the recording, or of a smaller copy of it. */
export interface Rendition {
  readonly initUri: string
  readonly pieces: readonly PlaylistPiece[]
}

type Part = keyof PieceIndex

/**
 * Writes the playlist of a rendition's segments (RFC 8216, 4.3; version 7 for fragmented MP4 by byte ranges).
 * @param target seconds, from {@link commonTarget} when other renditions are played with it
 */
export const writeMediaPlaylist = (rendition: Rendition, target: number): string =>
  write(rendition, { part: 'segments', target, tags: [] })

/** Writes the playlist of a rendition's I-frames (RFC 8216, 4.3.3.6), which players show while seeking. */
export const writeIframePlaylist = (rendition: Rendition): string =>
  write(rendition, { part: 'iframes', target: targetDuration(rendition, 'iframes'), tags: ['#EXT-X-I-FRAMES-ONLY'] })

/**
 * Returns the target duration of renditions that belong to one master playlist, in seconds: all state the same one
 * (RFC 8216, 6.2.4).
 */
export const commonTarget = (renditions: readonly Rendition[]): number =>
  Math.max(1, ...renditions.map((rendition) => targetDuration(rendition)))

/** Returns the target duration in seconds: no segment is longer, once both are rounded (RFC 8216, 4.3.3.1). */
export const targetDuration = (rendition: Rendition, part: Part = 'segments'): number =>
  rangesOf(rendition, part).reduce((longest, { duration }) => Math.max(longest, Math.round(duration)), 1)

/** Lists the segments, or the I-frames, of all pieces. */
export const rangesOf = ({ pieces }: Rendition, part: Part = 'segments'): readonly PieceRange[] =>
  pieces.flatMap(({ index }) => index[part])

interface Contents {
  readonly part: Part
  /** Seconds. */
  readonly target: number
  readonly tags: readonly string[]
}

function write(rendition: Rendition, { part, target, tags }: Contents): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...tags,
    `#EXT-X-MAP:URI="${quotable(rendition.initUri)}"`,
    ...rendition.pieces.flatMap(({ uri, index }) =>
      index[part].flatMap(({ duration, offset, size }) => [
        `#EXTINF:${duration.toFixed(6)},`,
        `#EXT-X-BYTERANGE:${size}@${offset}`,
        quotable(uri),
      ]),
    ),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}
