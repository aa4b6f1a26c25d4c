import { frameAt, timeOf } from '../timebase.ts'

/** Segments in the playlist without DVR: 12 s, twice the minimum of RFC 8216 section 6.2.2. */
const WINDOW_SEGMENTS = 6

/**
 * Converts ffmpeg's playlist for live players: each segment gets the date of its first frame. Without DVR only the newest
 * segments stay, with their numbers, also after the end: a player must never see the numbers decrease.
 * @param createdAt start of the broadcast, in milliseconds since the epoch
 */
export function presentPlaylist(whole: string, { dvr, createdAt }: { dvr: boolean; createdAt: number }): string {
  const { header, segments: undated, end } = parse(whole)
  const segments = dated(undated, timeOf(frameAt(createdAt)))
  if (dvr) return [...header, ...segments.flat(), ...end, ''].join('\n')
  const first = Math.max(0, segments.length - WINDOW_SEGMENTS)
  const tags = header
    .filter((line) => !line.startsWith('#EXT-X-PLAYLIST-TYPE')) // EVENT promises that nothing goes away
    .map((line) => (line.startsWith('#EXT-X-MEDIA-SEQUENCE:') ? `#EXT-X-MEDIA-SEQUENCE:${first}` : line))
  return [...tags, ...segments.slice(first).flat(), ...end, ''].join('\n')
}

/** Adds the time of day to each segment (RFC 8216 section 4.3.2.6); frames follow each other without a gap. */
function dated(segments: readonly string[][], start: number): string[][] {
  let time = start
  return segments.map((lines) => {
    const date = new Date(Math.round(time)).toISOString()
    time += 1000 * Number(/^#EXTINF:([\d.]+)/m.exec(lines.join('\n'))?.[1] ?? 0)
    return [`#EXT-X-PROGRAM-DATE-TIME:${date}`, ...lines]
  })
}

/**
 * Returns the newer of two readings of a growing playlist. ffmpeg builds of 2018 write it in place, so that a reading may be
 * empty or incomplete: then the one before is still valid.
 */
export function newerPlaylist(known: string | undefined, read: string | undefined): string | undefined {
  if (read === undefined || read.length < (known?.length ?? 0)) return known
  const isWhole = /\n[^#\n]+\n(#EXT-X-ENDLIST\n)?$/.test(read)
  return isWhole ? read : known
}

/** Ends a playlist whose writer has died, so that players do not wait for more. */
export const endPlaylist = (whole: string) => (whole.includes('#EXT-X-ENDLIST') ? whole : `${whole}#EXT-X-ENDLIST\n`)

function parse(playlist: string): { header: string[]; segments: string[][]; end: string[] } {
  const header: string[] = []
  const segments: string[][] = []
  let tags: string[] = []
  for (const line of playlist.split('\n').filter(Boolean)) {
    const isOfHeader = segments.length === 0 && tags.length === 0 && !line.startsWith('#EXTINF')
    if (isOfHeader) header.push(line)
    else tags.push(line)
    if (!line.startsWith('#')) {
      segments.push(tags)
      tags = []
    }
  }
  return { header, segments, end: tags }
}
