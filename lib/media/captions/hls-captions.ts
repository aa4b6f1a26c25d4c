import { type Captions, writeWebVtt } from './web-vtt.ts'

/**
 * Writes captions as the only segment of an HLS subtitles rendition: WebVTT with the header that maps its times to
 * those of the media (RFC 8216, 3.5). The media and the captions share their time 0.
 */
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
