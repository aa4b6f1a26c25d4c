import { describe, expect, it } from 'vitest'
import { writeLivePlaylist } from '../../../../../lib/media/hls/live/live-playlist.ts'
import { followPlaylist } from '../../../../support/hls/expect-valid-playlist.ts'
import { readPlaylist } from '../../../../support/media/playlists.ts'
import { timelineOf } from './timelines.ts'

const low = { kind: 'window', lowLatency: true } as const
const numbersOf = (text: string) => readPlaylist(text).segments.map(({ name }) => Number(/\d+/.exec(name)?.[0]))
const partsOf = (text: string) => [...text.matchAll(/^#EXT-X-PART:.*URI="part-(\d+)\.(\d+)\.m4s"/gm)]

describe('writeLivePlaylist', () => {
  it('lists segments, parts and the next part for low latency', () => {
    expect(writeLivePlaylist(timelineOf(7), low)).toBe(
      [
        '#EXTM3U',
        '#EXT-X-VERSION:9',
        '#EXT-X-TARGETDURATION:2',
        '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.002,CAN-SKIP-UNTIL=12.0',
        '#EXT-X-PART-INF:PART-TARGET=0.334',
        '#EXT-X-MEDIA-SEQUENCE:0',
        '#EXT-X-INDEPENDENT-SEGMENTS',
        '#EXT-X-MAP:URI="init.mp4"',
        '#EXT-X-PROGRAM-DATE-TIME:2026-11-23T09:00:00.000Z',
        '#EXT-X-PART:DURATION=0.33333,URI="part-00000.0.m4s",INDEPENDENT=YES',
        ...[1, 2, 3, 4, 5].map((part) => `#EXT-X-PART:DURATION=0.33333,URI="part-00000.${part}.m4s"`),
        '#EXTINF:2.00000,',
        'segment-00000.m4s',
        '#EXT-X-PROGRAM-DATE-TIME:2026-11-23T09:00:02.000Z',
        '#EXT-X-PART:DURATION=0.33333,URI="part-00001.0.m4s",INDEPENDENT=YES',
        '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="part-00001.1.m4s"',
        '',
      ].join('\n'),
    )
  })

  it('announces the first part of the next segment as soon as a segment is complete', () => {
    expect(writeLivePlaylist(timelineOf(6), low)).toMatch(/\nsegment-00000\.m4s\n.*URI="part-00001\.0\.m4s"\n$/s)
  })

  it('shows a window of 30 s, and drops parts after three target durations', () => {
    const text = writeLivePlaylist(timelineOf(6 * 40), low)
    expect(numbersOf(text)).toEqual(Array.from({ length: 15 }, (_, index) => 25 + index))
    expect(readPlaylist(text).sequence).toBe(25)
    expect(new Set(partsOf(text).map(([, segment]) => Number(segment)))).toEqual(new Set([38, 39]))
  })

  it('shows everything with DVR, without parts', () => {
    const text = writeLivePlaylist(timelineOf(6 * 40 + 3), { kind: 'event', lowLatency: false })
    expect(numbersOf(text)).toHaveLength(40)
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT\n')
    expect(text).not.toMatch(/PART|PRELOAD|BLOCK/)
  })

  it.each([true, false])(
    'leaves out all but six target durations in a delta update (low latency: %s)',
    (lowLatency) => {
      const text = writeLivePlaylist(timelineOf(6 * 40), { kind: 'event', lowLatency, skip: true })
      expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:0\n')
      expect(text).toContain('#EXT-X-SKIP:SKIPPED-SEGMENTS=34\n')
      expect(numbersOf(text)).toEqual([34, 35, 36, 37, 38, 39])
    },
  )

  it('writes versions that follow from each other, as delta updates too', () => {
    for (const form of [low, { kind: 'event', lowLatency: false }] as const) {
      const [whole, updates] = [followPlaylist('whole'), followPlaylist('updates')]
      for (let parts = 6; parts < 6 * 12; parts++) {
        const timeline = timelineOf(parts)
        whole.add(writeLivePlaylist(timeline, form))
        updates.add(writeLivePlaylist(timeline, { ...form, skip: parts > 6 }))
        expect(updates.newest?.segments.map(({ uri }) => uri)).toEqual(whole.newest?.segments.map(({ uri }) => uri))
      }
      const timeline = timelineOf(6 * 12 - 1)
      timeline.end()
      expect(whole.add(writeLivePlaylist(timeline, form)).hasEnded).toBe(true)
    }
  })

  it('skips nothing in a short playlist', () => {
    const whole = { kind: 'event', lowLatency: false } as const
    const timeline = timelineOf(6 * 6)
    expect(writeLivePlaylist(timeline, { ...whole, skip: true })).toBe(writeLivePlaylist(timeline, whole))
  })

  it('transfers less than 10 kB in a delta update after four hours', () => {
    const timeline = timelineOf(3 * 4 * 3600)
    const bytes = (skip: boolean) => writeLivePlaylist(timeline, { kind: 'event', lowLatency: false, skip }).length
    expect(bytes(false)).toBeGreaterThan(500_000)
    expect(bytes(true)).toBeLessThan(1_500)
  })

  it('reports the ends of other renditions with low latency', () => {
    const reports = [8, 12].map((parts) => ({ uri: `../${parts}/index.m3u8`, timeline: timelineOf(parts) }))
    expect(
      writeLivePlaylist(timelineOf(8), { ...low, reports })
        .split('\n')
        .slice(-3),
    ).toEqual([
      '#EXT-X-RENDITION-REPORT:URI="../8/index.m3u8",LAST-MSN=1,LAST-PART=1',
      '#EXT-X-RENDITION-REPORT:URI="../12/index.m3u8",LAST-MSN=1,LAST-PART=5',
      '',
    ])
    const without = { kind: 'window', lowLatency: false, reports } as const
    expect(writeLivePlaylist(timelineOf(8), without)).not.toContain('REPORT')
  })

  it('ends without a hint', () => {
    const timeline = timelineOf(8)
    timeline.end()
    const text = writeLivePlaylist(timeline, low)
    expect(text).toMatch(/\n#EXTINF:0\.66667,\nsegment-00001\.m4s\n#EXT-X-ENDLIST\n$/)
    expect(text).not.toContain('PRELOAD-HINT')
  })
})
