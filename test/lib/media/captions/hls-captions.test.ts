import { describe, expect, it } from 'vitest'
import { writeCaptionsPlaylist, writeCaptionsSegment } from '../../../../lib/media/captions/hls-captions.ts'
import { parseWebVtt } from '../../../../lib/media/captions/web-vtt.ts'
import { expectValidPlaylist } from '../../../support/hls/expect-valid-playlist.ts'

describe('writeCaptionsSegment', () => {
  it('ties the times of the cues to those of the media', () => {
    expect(writeCaptionsSegment(parseWebVtt('WEBVTT\n\n00:01.000 --> 00:02.000\nHello'))).toBe(
      'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:00:01.000 --> 00:00:02.000\nHello\n',
    )
  })
})

describe('writeCaptionsPlaylist', () => {
  it('lists one segment for the whole recording', () => {
    expect(expectValidPlaylist(writeCaptionsPlaylist({ uri: 'captions-en.vtt', duration: 61.5 })).lines).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:62',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXTINF:61.500,',
      'captions-en.vtt',
      '#EXT-X-ENDLIST',
      '',
    ])
  })
})
