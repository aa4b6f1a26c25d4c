import { quotable } from './uris.ts'

/** A segment of a live playlist. URIs are absolute. */
export interface LiveListedSegment {
  readonly uri: string
  /** Byte range of the object; absent for a whole one. */
  readonly range?: { readonly offset: number; readonly size: number }
  /** Milliseconds since the epoch. */
  readonly start: number
  /** Seconds. */
  readonly duration: number
}

/** Segments of fragmented MP4 that follow one another without a gap. */
export interface LiveList {
  /** Absolute URI of the init segment. */
  readonly initUri: string
  readonly segments: readonly LiveListedSegment[]
}

/** A time range in milliseconds since the epoch. */
export interface ClockSpan {
  readonly from: number
  readonly to: number
}

/**
 * Lists the complete segments of a live media playlist, or of one that `writeLiveClip` has written (RFC 8216bis, 4.4.4).
 * Returns undefined for a playlist of which no clip can be cut: without fragmented MP4 or times, or with a discontinuity.
 * @param url of the playlist, to which its URIs are relative
 */
export function readLiveList(playlist: string, url?: string): LiveList | undefined {
  if (/^#EXT-X-(?:DISCONTINUITY|GAP|KEY:(?!METHOD=NONE))/m.test(playlist)) return undefined
  const absolute = (uri: string) => new URL(uri, url).href
  const maps = [...playlist.matchAll(/^#EXT-X-MAP:(.*)$/gm)].map(([, attributes = '']) => attributes)
  const initUri = /URI="([^"]*)"/.exec(maps[0] ?? '')?.[1]
  if (maps.length !== 1 || initUri === undefined || /BYTERANGE=/.test(maps[0] ?? '')) return undefined
  const segments: LiveListedSegment[] = []
  let [start, duration] = [Number.NaN, 0]
  let size: number | undefined
  let offset = 0
  for (const line of playlist.split(/\r?\n/)) {
    const value = line.slice(line.indexOf(':') + 1)
    if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) start = Date.parse(value)
    else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(value)
    else if (line.startsWith('#EXT-X-BYTERANGE:')) {
      const [length, at] = value.split('@').map(Number)
      size = length
      offset = at ?? offset
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      if (Number.isNaN(start)) return undefined
      segments.push({
        uri: absolute(line.trim()),
        ...(size !== undefined && { range: { offset, size } }),
        start,
        duration,
      })
      start += duration * 1000
      offset += size ?? 0
      size = undefined
    }
  }
  return { initUri: absolute(initUri), segments }
}

/** Milliseconds around a clip whose segments are listed too: the end of its audio may be stored behind its last frame. */
const MARGIN = 100

/** Limits a list to the segments that hold a clip. */
export const limitList = ({ initUri, segments }: LiveList, { from, to }: ClockSpan): LiveList => ({
  initUri,
  segments: segments.filter(({ start, duration }) => start + duration * 1000 > from - MARGIN && start < to + MARGIN),
})

/** Writes the playlist of a clip of a live broadcast. A player starts exactly at `from`, by EXT-X-START. */
export function writeLiveClip({ initUri, segments }: LiveList, { from }: Pick<ClockSpan, 'from'>): string {
  const target = segments.reduce((longest, { duration }) => Math.max(longest, Math.round(duration)), 1)
  const offset = Math.max(0, from - (segments[0]?.start ?? from)) / 1000
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-START:TIME-OFFSET=${offset.toFixed(3)},PRECISE=YES`,
    `#EXT-X-MAP:URI="${quotable(initUri)}"`,
    ...segments.flatMap(({ uri, range, start, duration }) => [
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(start)).toISOString()}`,
      `#EXTINF:${duration.toFixed(5)},`,
      ...(range ? [`#EXT-X-BYTERANGE:${range.size}@${range.offset}`] : []),
      uri,
    ]),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}
