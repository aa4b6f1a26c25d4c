/** A segment that a media playlist lists, and what precedes it. */
export interface ListedSegment {
  readonly uri: string
  /** Bytes of the object. */
  readonly offset: number
  readonly size: number
  /** Seconds of the presentation. */
  readonly start: number
  readonly duration: number
  /** URI of its init segment. */
  readonly initUri: string
  /** Number of discontinuities before it. */
  readonly run: number
}

/** A time range in seconds. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Seconds: less than any frame, and more than the rounding error of a playlist. */
const ROUNDING = 0.001

/** Reads a media playlist that `writeMediaPlaylist` or `writeJoinedPlaylist` has written. */
export function readMediaPlaylist(playlist: string): ListedSegment[] {
  const segments: ListedSegment[] = []
  let [initUri, duration, offset, size, start, run] = ['', 0, 0, 0, 0, 0]
  for (const line of playlist.split('\n')) {
    const value = line.slice(line.indexOf(':') + 1)
    if (line.startsWith('#EXT-X-MAP:')) initUri = /URI="([^"]*)"/.exec(value)?.[1] ?? ''
    else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(value)
    else if (line.startsWith('#EXT-X-BYTERANGE:')) [size = 0, offset = 0] = value.split('@').map(Number)
    else if (line === '#EXT-X-DISCONTINUITY') run += 1
    else if (line !== '' && !line.startsWith('#')) {
      segments.push({ uri: line, offset, size, start, duration, initUri, run })
      start += duration
    }
  }
  return segments
}

/**
 * Limits a media playlist to the segments that hold a clip (RFC 8216, 4.3). A player starts exactly at `from`, by EXT-X-START. Nothing
 * is stored or encoded: the segments are byte ranges of the recording's files.
 * @param playlist as `writeMediaPlaylist` or `writeJoinedPlaylist` has written it
 * @param createdAt time of the recording's start in milliseconds since the epoch, by which players align audio with video
 */
export function clipPlaylist(playlist: string, { from, to }: Span, createdAt: number): string {
  const segments = readMediaPlaylist(playlist).filter(
    ({ start, duration }) => start + duration > from + ROUNDING && start < to - ROUNDING,
  )
  const [first] = segments
  const head = playlist.slice(0, playlist.indexOf('#EXT-X-MAP:'))
  const offset = Math.max(0, from - (first?.start ?? 0))
  const isFramesOnly = head.includes('#EXT-X-I-FRAMES-ONLY')
  const lines = segments.flatMap((segment, index) => {
    const before = segments[index - 1]
    const { uri, initUri, run, start, duration, size } = segment
    return [
      ...(before && before.run !== run ? ['#EXT-X-DISCONTINUITY'] : []),
      ...(before?.initUri === initUri ? [] : [`#EXT-X-MAP:URI="${initUri}"`]),
      ...(before?.run === run ? [] : [`#EXT-X-PROGRAM-DATE-TIME:${new Date(createdAt + start * 1000).toISOString()}`]),
      ...[`#EXTINF:${duration.toFixed(6)},`, `#EXT-X-BYTERANGE:${size}@${segment.offset}`, uri],
    ]
  })
  const start = isFramesOnly ? [] : [`#EXT-X-START:TIME-OFFSET=${offset.toFixed(3)},PRECISE=YES`]
  return `${head}${[...start, ...lines, '#EXT-X-ENDLIST'].join('\n')}\n`
}

/** Removes the captions of a master playlist, whose segment holds the whole recording. */
export const clipMasterPlaylist = (master: string): string =>
  master
    .split('\n')
    .filter((line) => !/^#EXT-X-MEDIA:(?:.*,)?TYPE=SUBTITLES/.test(line))
    .map((line) => (line.startsWith('#EXT-X-STREAM-INF:') ? line.replace(/,SUBTITLES="[^"]*"/, '') : line))
    .join('\n')
