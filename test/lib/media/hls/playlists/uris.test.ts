import { describe, expect, it } from 'vitest'
import { withUris } from '../../../../../lib/media/hls/playlists/uris.ts'

describe('withUris', () => {
  const linked = (...lines: string[]) => withUris(lines.join('\n'), (uri) => `https://signed/${uri}?a=1`).split('\n')

  it('replaces separate lines and URI attributes at any position', () => {
    expect(
      linked(
        '#EXTM3U',
        '#EXT-X-MAP:URI="init.mp4",BYTERANGE="700@0"',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",URI="audio.m3u8"',
        '#EXTINF:6.000000,',
        'video-0.mp4',
        '',
      ),
    ).toEqual([
      '#EXTM3U',
      '#EXT-X-MAP:URI="https://signed/init.mp4?a=1",BYTERANGE="700@0"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",URI="https://signed/audio.m3u8?a=1"',
      '#EXTINF:6.000000,',
      'https://signed/video-0.mp4?a=1',
      '',
    ])
  })

  it('leaves comments, and quoted texts that look like an attribute', () => {
    const lines = ['# URI="no"', '#EXT-X-MEDIA:TYPE=SUBTITLES,NAME="a,URI=b"']
    expect(linked(...lines)).toEqual(lines)
  })

  it('refuses a link with a line break or a quotation mark', () => {
    expect(() => withUris('#EXT-X-MAP:URI="a"', () => 'a"\n')).toThrow(RangeError)
  })
})
