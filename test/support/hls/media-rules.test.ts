import { describeRules } from './examples.ts'
import { mediaRules } from './media-rules.ts'
import { parsePlaylist } from './parse.ts'

const written = (...lines: string[]) => parsePlaylist(['#EXTM3U', ...lines, ''].join('\n'))
const SEGMENT = ['#EXTINF:6.4,', 'a.ts']
const TARGET = '#EXT-X-TARGETDURATION:6'
/** A playlist of one segment with tags before it. */
const media = (...lines: string[]) => written(TARGET, ...lines, ...SEGMENT)

describeRules('rules of media playlists', mediaRules, [
  {
    holds: written(TARGET, '#EXT-X-MAP:URI="init.mp4"', '#EXTINF:6,', 'a.m4s'),
    breaks: written(TARGET, '#EXTINF:6,', 'a.m4s'),
  },
  { holds: media(), breaks: written(...SEGMENT) },
  { holds: media(), breaks: written(TARGET, '#EXTINF:6.5,', 'a.ts') },
  {
    holds: media('#EXT-X-MEDIA-SEQUENCE:0'),
    breaks: written(TARGET, ...SEGMENT, '#EXT-X-MEDIA-SEQUENCE:0', ...SEGMENT),
  },
  {
    holds: media('#EXT-X-DISCONTINUITY-SEQUENCE:1', '#EXT-X-DISCONTINUITY'),
    breaks: media('#EXT-X-DISCONTINUITY', '#EXT-X-DISCONTINUITY-SEQUENCE:1'),
  },
  { holds: media('#EXT-X-PLAYLIST-TYPE:EVENT'), breaks: media('#EXT-X-PLAYLIST-TYPE:LIVE') },
  {
    holds: written(TARGET, '#EXT-X-PLAYLIST-TYPE:VOD', ...SEGMENT, '#EXT-X-ENDLIST'),
    breaks: media('#EXT-X-PLAYLIST-TYPE:VOD'),
  },
  {
    holds: media('#EXT-X-MEDIA-SEQUENCE:1', ...SEGMENT, ...SEGMENT),
    breaks: media('#EXT-X-MEDIA-SEQUENCE:1', ...SEGMENT),
  },
  { holds: media(), breaks: written(TARGET, ...SEGMENT, 'b.ts') },
  { holds: media(), breaks: written(TARGET, '#EXTINF:6', 'a.ts') },
  {
    holds: written(TARGET, '#EXTINF:6,', '#EXT-X-BYTERANGE:9@0', 'a.ts', '#EXTINF:6,', '#EXT-X-BYTERANGE:9', 'a.ts'),
    breaks: written(TARGET, '#EXTINF:6,', '#EXT-X-BYTERANGE:9@0', 'a.ts', '#EXTINF:6,', '#EXT-X-BYTERANGE:9', 'b.ts'),
  },
  { holds: media('#EXT-X-KEY:METHOD=AES-128,URI="key"'), breaks: media('#EXT-X-KEY:METHOD=AES-128') },
  {
    holds: media('#EXT-X-MAP:URI="init.mp4",BYTERANGE="9@0"'),
    breaks: media('#EXT-X-MAP:URI="init.mp4",BYTERANGE="9"'),
  },
  {
    holds: media('#EXT-X-PROGRAM-DATE-TIME:2026-11-20T09:00:00.000Z'),
    breaks: media('#EXT-X-PROGRAM-DATE-TIME:2026-11-20T09:00:00.000'),
  },
  { holds: media('#EXT-X-BITRATE:900'), breaks: media('#EXT-X-BITRATE:0.9') },
  {
    holds: media('#EXT-X-DATERANGE:ID="a",START-DATE="2026-11-20T09:00:00Z"'),
    breaks: media('#EXT-X-DATERANGE:START-DATE="2026-11-20T09:00:00Z"'),
  },
])
