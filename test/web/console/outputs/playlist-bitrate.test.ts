import { describe, expect, it } from 'vitest'
import { bestVariant, kilobitsOf, newestSegments } from '../../../../web/console/outputs/playlist-bitrate.ts'

const base = 'https://example.com/live/index.m3u8'

describe('kilobitsOf', () => {
  it('divides all bytes by all seconds', () => {
    expect(
      kilobitsOf([
        { bytes: 250_000, seconds: 2 },
        { bytes: 125_000, seconds: 1 },
        { bytes: 75_000, seconds: 0 }, // separate audio of the same time
      ]),
    ).toBe(1_200)
    expect(kilobitsOf([])).toBeUndefined()
  })
})

describe('bestVariant', () => {
  it('returns the rendition with the highest bandwidth, and its frame rate', () => {
    const master = [
      '#EXTM3U',
      '#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=9000000,BANDWIDTH=800000,RESOLUTION=640x360',
      'small.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=2500000,FRAME-RATE=30.000,CODECS="avc1.64001f,mp4a.40.2"',
      '../full.m3u8?token=1',
    ].join('\n')
    expect(bestVariant(master, base)).toMatchObject({
      ...{ url: 'https://example.com/full.m3u8?token=1', frameRate: 30 },
    })
    expect(bestVariant('#EXTM3U\n#EXTINF:2,\n1.ts\n', base)).toBeUndefined()
  })
})

describe('newestSegments', () => {
  it('returns the last ones with the sizes of their ranges', () => {
    const playlist = [
      '#EXTM3U',
      '#EXTINF:4.0,',
      'old.m4s',
      '#EXT-X-PROGRAM-DATE-TIME:2026-11-20T09:00:00.000Z',
      '#EXTINF:2.002,title',
      '#EXT-X-BYTERANGE:250000@1200',
      'file.m4s',
      '#EXTINF:2,',
      'https://cdn.example.com/2.ts',
      '#EXT-X-PART:DURATION=0.33,URI="file.m4s"',
      '',
    ].join('\n')
    expect(newestSegments(playlist, base, 2)).toEqual([
      { url: 'https://example.com/live/file.m4s', seconds: 2.002, bytes: 250_000 },
      { url: 'https://cdn.example.com/2.ts', seconds: 2, bytes: undefined },
    ])
    expect(newestSegments('#EXTM3U\n', base, 2)).toEqual([])
  })
})
