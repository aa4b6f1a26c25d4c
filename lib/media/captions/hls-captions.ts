import { type Captions, writeWebVtt } from './web-vtt.ts'

/** Writes captions as a rendition's only segment: WebVTT with a header that maps its time 0 to the media's (RFC 8216, 3.5). */
export const writeCaptionsSegment = ({ cues }: Captions): string =>
  writeWebVtt(cues, ['X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000'])

export interface CaptionsPlaylistOptions {
  /** URI of the segment, relative to the playlist. */
  readonly uri: string
  /** Seconds; the segment covers the whole recording. */
  readonly duration: number
}

export const writeCaptionsPlaylist = ({ uri, duration }: CaptionsPlaylistOptions): string =>
  [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(duration))}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${duration.toFixed(3)},`,
    uri,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
