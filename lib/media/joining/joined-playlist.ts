import { type Rendition, writeIframePlaylist, writeMediaPlaylist } from '../hls/media-playlist.ts'
import { asOneRendition } from './join-tracks.ts'

/** Writes the playlist of a rendition that is made of parts: timestamps begin anew with each, so there is a discontinuity. */
export const writeJoinedPlaylist = (parts: readonly Rendition[]): string => join(parts, writeMediaPlaylist)

/** Writes the playlist of its I-frames. */
export const writeJoinedIframePlaylist = (parts: readonly Rendition[]): string => join(parts, writeIframePlaylist)

const MAP = '#EXT-X-MAP:'
const END = '#EXT-X-ENDLIST\n'

/** Each part's own playlist without head and end, behind the head of a playlist of all. An init segment is named when it changes. */
function join(parts: readonly Rendition[], write: (rendition: Rendition) => string): string {
  const [head] = write(asOneRendition(parts)).split(MAP)
  const bodies = parts.map((part, index) => {
    const body = write(part)
    const named = body.slice(body.indexOf(MAP), -END.length)
    return part.initUri === parts[index - 1]?.initUri ? named.slice(named.indexOf('\n') + 1) : named
  })
  return `${head}${bodies.join('#EXT-X-DISCONTINUITY\n')}${END}`
}
