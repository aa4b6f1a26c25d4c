import { describe, expect, it } from 'vitest'
import { withCaptions } from '../../../../../lib/media/hls/playlists/master-playlist.ts'
import { expectValidPlaylist } from '../../../../support/hls/expect-valid-playlist.ts'

const bare = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",URI="audio.m3u8"',
  '#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="audio"',
  'video.m3u8',
  '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="audio"',
  'video-240p.m3u8',
  '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="video-iframes.m3u8"',
  '',
].join('\n')
const english = { uri: 'en.m3u8', name: 'English', language: 'en' }
const brazilian = { uri: 'pt-BR.m3u8', name: 'português (Brasil)', language: 'pt-BR' }

describe('withCaptions', () => {
  it('offers captions with every variant', () => {
    expect(expectValidPlaylist(withCaptions(bare, [english, brazilian])).lines.slice(3, 8)).toEqual([
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="en.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="português (Brasil)",LANGUAGE="pt-BR",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="pt-BR.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="audio",SUBTITLES="subtitles"',
      'video.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="audio",SUBTITLES="subtitles"',
    ])
  })

  it('removes the captions that were there', () => {
    const captioned = withCaptions(bare, [english])
    expect(withCaptions(captioned, [brazilian])).toBe(withCaptions(bare, [brazilian]))
    expect(withCaptions(captioned, [])).toBe(bare)
    expect(withCaptions(bare, [])).toBe(bare)
  })

  it('refuses a name that does not fit into an attribute', () => {
    expect(() => withCaptions(bare, [{ ...english, name: 'say "hi"' }])).toThrow(RangeError)
  })
})
