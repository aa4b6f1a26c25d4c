import { describe, expect, it } from 'vitest'
import { createLiveTimeline } from '../../../../../lib/media/hls/live/live-timeline.ts'
import { START, timelineOf } from './timelines.ts'

describe('createLiveTimeline', () => {
  it('completes a segment with its sixth part', () => {
    const timeline = timelineOf(11)
    expect(timeline.segments.length).toBe(1)
    expect(timeline.current).toHaveLength(5)
    const part = { file: 'media-0.m4s', offset: 1100, size: 50, start: START, duration: 1 / 3, isIndependent: false }
    expect(timeline.add(part)).toMatchObject({ file: 'media-0.m4s', offset: 600, size: 550, start: START + 2000 })
    expect(timeline.segments.at(1)?.duration).toBeCloseTo(2, 6)
    expect(timeline.current).toEqual([])
  })

  it('keeps the parts of the newest segments only', () => {
    const parts = timelineOf(6 * 40)
      .segments.slice()
      .map((segment) => segment.parts.length)
    expect(parts).toEqual([...Array(10).fill(0), ...Array(30).fill(6)])
  })

  it('ends with a short segment if parts are left', () => {
    const timeline = timelineOf(8)
    expect(timeline.end()?.duration).toBeCloseTo(2 / 3, 6)
    expect([timeline.hasEnded, timeline.segments.length, timeline.end()]).toEqual([true, 2, undefined])
  })

  it('divides audio into segments that end nearest to those of the video', () => {
    const timeline = createLiveTimeline()
    const seconds = 0.32
    for (let index = 0; index < 63; index++)
      timeline.add({
        ...{ file: 'media-0.m4s', offset: index, size: 1, duration: seconds },
        ...{ start: START + 1000 * seconds * index, isIndependent: true },
      })
    expect(
      timeline.segments
        .slice()
        .map(({ parts }) => parts.length)
        .slice(-6),
    ).toEqual([6, 6, 7, 6, 6, 6])
    const apart = timeline.segments.slice().map(({ start }, index) => Math.abs(start - START - 2000 * index))
    expect(Math.max(...apart)).toBeLessThanOrEqual((1000 * seconds) / 2)
  })

  it('continues from kept segments', () => {
    const { segments } = timelineOf(12)
    expect(
      createLiveTimeline(segments.slice())
        .segments.slice()
        .map(({ offset, parts }) => [offset, parts]),
    ).toEqual([
      [0, []],
      [600, []],
    ])
  })
})
