import { type Captions, writeWebVtt } from './web-vtt.ts'

/**
 * Writes captions as the only segment of an HLS subtitles rendition: WebVTT with the header that ties its times to those of
 * the media (RFC 8216, 3.5), for media whose time 0 is the captions'.
 */
export const writeCaptionsSegment = ({ cues }: Captions): string =>
  writeWebVtt(cues, ['X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000'])

export interface CaptionsPlaylistOptions {
  /** Where the segment lies, seen from the playlist. */
  readonly uri: string
  /** Seconds of the recording, which the segment covers from its start. */
  readonly duration: number
}

/** Writes the media playlist of a subtitles rendition that has one segment, however long the recording: it is small. */
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
