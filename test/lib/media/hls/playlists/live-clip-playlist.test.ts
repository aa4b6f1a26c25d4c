import { describe, expect, it } from 'vitest'
import { keptEntry, keptHeader } from '../../../../../lib/media/hls/live/kept-playlist.ts'
import { writeLivePlaylist } from '../../../../../lib/media/hls/live/live-playlist.ts'
import { limitList, readLiveList, writeLiveClip } from '../../../../../lib/media/hls/playlists/live-clip-playlist.ts'
import { expectValidPlaylist } from '../../../../support/hls/expect-valid-playlist.ts'
import { timelineOf } from '../live/timelines.ts'

const URL_OF = 'https://media.example.com/b/index.m3u8?DVR'
const START = Date.parse('2026-11-23T09:00:00Z')
const live = writeLivePlaylist(timelineOf(27), { kind: 'event', lowLatency: true })

describe('readLiveList', () => {
  it('lists complete segments with their times, by absolute URIs', () => {
    const { initUri, segments } = readLiveList(live, URL_OF) ?? { segments: [] }
    expect(initUri).toBe('https://media.example.com/b/init.mp4')
    expect(segments).toEqual(
      [0, 1, 2, 3].map((number) => ({
        ...{ uri: `https://media.example.com/b/segment-0000${number}.m4s`, duration: 2 },
        start: START + number * 2_000,
      })),
    )
  })

  it('lists byte ranges', () => {
    const range = { file: 'media-0.m4s', offset: 900, size: 70, start: START, duration: 2 }
    expect(readLiveList(keptHeader() + keptEntry(range), URL_OF)?.segments).toMatchObject([
      { uri: 'https://media.example.com/b/media-0.m4s', range: { offset: 900, size: 70 } },
    ])
  })

  it.each([
    ['MPEG-TS', live.replace(/^#EXT-X-MAP.*\n/m, '')],
    ['segments without times', live.replace(/^#EXT-X-PROGRAM-DATE-TIME.*\n/gm, '')],
    ['a discontinuity', live.replace('#EXTINF', '#EXT-X-DISCONTINUITY\n#EXTINF')],
    ['encrypted segments', live.replace('#EXTINF', '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF')],
  ])('does not read %s', (_, playlist) => {
    expect(readLiveList(playlist, URL_OF)).toBeUndefined()
  })
})

describe('writeLiveClip', () => {
  it('lists the segments around a clip, and starts players exactly', () => {
    const span = { from: START + 2_500, to: START + 5_000 }
    const list = readLiveList(live, URL_OF)
    const clip = list ? writeLiveClip(limitList(list, span), span) : ''
    expectValidPlaylist(clip)
    expect(clip).toContain('#EXT-X-START:TIME-OFFSET=0.500,PRECISE=YES')
    expect(clip.match(/segment-\d+/g)).toEqual(['segment-00001', 'segment-00002'])
    expect(readLiveList(clip)?.segments).toHaveLength(2)
  })
})
