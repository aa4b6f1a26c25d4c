import { describeRules } from './examples.ts'
import { multivariantRules } from './multivariant-rules.ts'
import { parsePlaylist } from './parse.ts'
import { presentationRules } from './presentation-rules.ts'

const VARIANT = ['#EXT-X-STREAM-INF:BANDWIDTH=1000', 'video.m3u8']
const written = (...lines: string[]) => parsePlaylist(['#EXTM3U', ...lines, ''].join('\n'))
const main = (...lines: string[]) => written(...lines, ...VARIANT)
const media = (attributes: string) => `#EXT-X-MEDIA:${attributes}`
const audio = (more = '', name = 'English') => media(`TYPE=AUDIO,GROUP-ID="a",NAME="${name}",URI="${name}.m3u8"${more}`)
const variant = (attributes: string) => written(`#EXT-X-STREAM-INF:${attributes}`, 'video.m3u8')

describeRules('rules of multivariant playlists', multivariantRules, [
  { holds: main(audio()), breaks: main(media('TYPE=AUDIO,GROUP-ID="a"')) },
  {
    holds: main(media('TYPE=SUBTITLES,GROUP-ID="s",NAME="English",URI="en.m3u8"')),
    breaks: main(media('TYPE=SUBTITLES,GROUP-ID="s",NAME="English"')),
  },
  { holds: main(audio(',DEFAULT=YES,AUTOSELECT=YES')), breaks: main(audio(',DEFAULT=YES,AUTOSELECT=NO')) },
  { holds: main(audio()), breaks: main(audio(',FORCED=NO')) },
  { holds: main(audio(), audio('', 'Deutsch')), breaks: main(audio(), audio()) },
  {
    holds: main(audio(',DEFAULT=YES'), audio(',DEFAULT=NO', 'Deutsch')),
    breaks: main(audio(',DEFAULT=YES'), audio(',DEFAULT=YES', 'Deutsch')),
  },
  { holds: main(), breaks: main('lonely.m3u8') },
  { holds: variant('BANDWIDTH=2,AVERAGE-BANDWIDTH=1'), breaks: variant('BANDWIDTH=1,AVERAGE-BANDWIDTH=2') },
  {
    holds: written(audio(), '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"', 'video.m3u8'),
    breaks: written(audio(), '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="b"', 'video.m3u8'),
  },
  {
    holds: variant('BANDWIDTH=1,CLOSED-CAPTIONS=NONE'),
    breaks: written('#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=NONE', 'small.m3u8', ...VARIANT),
  },
  {
    holds: main('#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="iframes.m3u8"'),
    breaks: main('#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,FRAME-RATE=25,URI="iframes.m3u8"'),
  },
])

/** A finished playlist of segments. */
const finished = ({ target = 6, type = 'VOD', tags = [] as string[], seconds = [6, 6], bytes = 600 }) =>
  written(
    ...[`#EXT-X-TARGETDURATION:${target}`, `#EXT-X-PLAYLIST-TYPE:${type}`, ...tags],
    ...seconds.flatMap((duration, index) => [
      `#EXTINF:${duration},`,
      `#EXT-X-BYTERANGE:${bytes}@${index * bytes}`,
      'a.ts',
    ]),
    '#EXT-X-ENDLIST',
  )
const presentation = (video: object, sound: object = {}, type = 'AUDIO') => ({
  multivariant: main(media(`TYPE=${type},GROUP-ID="g",NAME="English",URI="other.m3u8"`)),
  media: new Map([
    ['video.m3u8', finished(video)],
    ['other.m3u8', finished(sound)],
  ]),
})
const DATED = { tags: ['#EXT-X-PROGRAM-DATE-TIME:2026-11-20T09:00:00Z'] }
const CONTROLLED = { tags: ['#EXT-X-SERVER-CONTROL:HOLD-BACK=18'] }

describeRules('rules of presentations', presentationRules, [
  { holds: presentation({}), breaks: { ...presentation({}), media: new Map([['video.m3u8', finished({})]]) } },
  { holds: presentation({}, { target: 13 }, 'SUBTITLES'), breaks: presentation({}, { target: 7 }) },
  { holds: presentation({}), breaks: presentation({}, { type: 'EVENT' }) },
  { holds: presentation(DATED, DATED), breaks: presentation(DATED) },
  { holds: presentation(CONTROLLED, CONTROLLED), breaks: presentation(CONTROLLED) },
  { holds: presentation({}, { seconds: [6] }), breaks: presentation({ seconds: [6, 6, 6] }, { seconds: [6] }) },
  { holds: presentation({ bytes: 750 }), breaks: presentation({ bytes: 760 }) },
])
