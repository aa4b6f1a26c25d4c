import { type Rendition, writeIframePlaylist, writeMediaPlaylist } from '../hls/playlists/media-playlist.ts'
import { asOneRendition } from './join-tracks.ts'

/**
 * Writes the playlist of a rendition of several parts, with a discontinuity where a timeline begins.
 * @param target seconds, the same for all renditions of a recording
 */
export const writeJoinedPlaylist = (runs: readonly Rendition[], target: number): string =>
  join(runs, (rendition) => writeMediaPlaylist(rendition, target))

/** Writes the playlist of its I-frames. */
export const writeJoinedIframePlaylist = (runs: readonly Rendition[]): string => join(runs, writeIframePlaylist)

const MAP = '#EXT-X-MAP:'
const END = '#EXT-X-ENDLIST\n'

/** Joins the runs' playlists below one head. Names an init segment when it changes. */
function join(runs: readonly Rendition[], write: (rendition: Rendition) => string): string {
  const [head] = write(asOneRendition(runs)).split(MAP)
  const bodies = runs.map((run, index) => {
    const body = write(run)
    const named = body.slice(body.indexOf(MAP), -END.length)
    return run.initUri === runs[index - 1]?.initUri ? named.slice(named.indexOf('\n') + 1) : named
  })
  return `${head}${bodies.join('#EXT-X-DISCONTINUITY\n')}${END}`
}
