import { describeRules } from './examples.ts'
import { lineRules } from './line-rules.ts'
import { parsePlaylist } from './parse.ts'

const media = (...lines: string[]) =>
  parsePlaylist(['#EXTM3U', '#EXT-X-TARGETDURATION:6', ...lines, '#EXTINF:6,', 'a.ts', '#EXT-X-ENDLIST', ''].join('\n'))
const start = (attributes: string) => media(`#EXT-X-START:${attributes}`)

describeRules('rules of lines', lineRules, [
  { holds: media('# ünïcode'), breaks: media('# \u0007') },
  { holds: media(''), breaks: media(' ') },
  {
    holds: parsePlaylist('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n'),
    breaks: parsePlaylist('#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n'),
  },
  { holds: start('TIME-OFFSET=1,PRECISE=YES'), breaks: start('TIME-OFFSET=1, PRECISE=YES') },
  { holds: start('TIME-OFFSET=1'), breaks: start('TIME-OFFSET=1,TIME-OFFSET=2') },
  { holds: start('TIME-OFFSET=-1.5'), breaks: start('TIME-OFFSET="1"') },
  { holds: media(), breaks: parsePlaylist('#EXT-X-TARGETDURATION:6\n#EXTM3U\n') },
  { holds: media('#EXT-X-VERSION:3'), breaks: media('#EXT-X-VERSION:3', '#EXT-X-VERSION:3') },
  {
    holds: media('#EXT-X-VERSION:6', '#EXT-X-MAP:URI="init.mp4"'),
    breaks: media('#EXT-X-VERSION:5', '#EXT-X-MAP:URI="init.mp4"'),
  },
])
