import { quotable } from './uris.ts'

export interface CaptionsEntry {
  /** URI of a playlist of WebVTT segments. */
  readonly uri: string
  /** Name in a player’s menu. */
  readonly name: string
  /** Language tag (BCP 47): `en`, `pt-BR`. */
  readonly language: string
}

const SUBTITLES = /^#EXT-X-MEDIA:(?:.*,)?TYPE=SUBTITLES(?:,|$)/
const VARIANT = '#EXT-X-STREAM-INF:'
const GROUP = ',SUBTITLES="subtitles"'

/**
 * Replaces the captions of a master playlist (RFC 8216, 4.3.4.1). Captions are shown only when the viewer chooses them.
 * @throws RangeError for a name or URI with a quotation mark or a line break
 */
export function withCaptions(master: string, captions: readonly CaptionsEntry[]): string {
  const lines = master.split('\n').filter((line) => !SUBTITLES.test(line))
  const bare = lines.map((line) => (line.startsWith(VARIANT) ? line.replace(GROUP, '') : line))
  if (captions.length === 0) return bare.join('\n')
  const first = bare.findIndex((line) => line.startsWith(VARIANT))
  const before = bare.slice(0, first)
  const named = bare.slice(first).map((line) => (line.startsWith(VARIANT) ? line + GROUP : line))
  return [...before, ...captions.map(captionsTag), ...named].join('\n')
}

const captionsTag = ({ uri, name, language }: CaptionsEntry) =>
  `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="${quotable(name)}",LANGUAGE="${quotable(language)}",` +
  `DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="${quotable(uri)}"`
