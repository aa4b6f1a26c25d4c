import type { KeptRange } from './live-segment.ts'
import { LIVE_SEGMENT_SECONDS } from './live-timeline.ts'

/** Name of a broadcast's init segment in its directory and in its playlists. */
export const LIVE_INIT = 'init.mp4'

/**
 * Writes the beginning of the playlist that stays with a broadcast's files: all segments as byte ranges (RFC 8216bis,
 * 4.4.4.2). It grows by `keptEntry`, ends with `KEPT_END`, and plays at any time.
 */
export const keptHeader = (): string =>
  [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${LIVE_SEGMENT_SECONDS}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:EVENT',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${LIVE_INIT}"`,
    '',
  ].join('\n')

/** Writes a segment of the playlist that stays. */
export const keptEntry = ({ file, offset, size, start, duration }: KeptRange): string =>
  [
    `#EXT-X-PROGRAM-DATE-TIME:${dateOf(start)}`,
    `#EXTINF:${duration.toFixed(5)},`,
    `#EXT-X-BYTERANGE:${size}@${offset}`,
    file,
    '',
  ].join('\n')

export const KEPT_END = '#EXT-X-ENDLIST\n'

/** Formats milliseconds since the epoch for EXT-X-PROGRAM-DATE-TIME. */
export const dateOf = (ms: number): string => new Date(Math.round(ms)).toISOString()

const ENTRY = /^#EXT-X-PROGRAM-DATE-TIME:(.+)\n#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@(\d+)\n([^#\n]+)\n/gm

/**
 * Lists the segments that a broadcast keeps, from the `index.m3u8` in its directory. The broadcast may be running. Each
 * segment is one byte range of a file beside the playlist, begins with a keyframe, and follows the one before without a gap:
 * segments between two times are those with `start < to` and `start + duration * 1000 > from`. Skips an entry that is not
 * complete yet.
 */
export const parseKept = (playlist: string): KeptRange[] =>
  [...playlist.matchAll(ENTRY)].map(([, date = '', duration, size, offset, file = '']) => ({
    file,
    offset: Number(offset),
    size: Number(size),
    start: Date.parse(date),
    duration: Number(duration),
  }))
