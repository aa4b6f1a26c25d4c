import { describe, expect, it } from 'vitest'
import { judgeReload, readReload } from '../../../../../lib/media/hls/live/reload.ts'
import { timelineOf } from './timelines.ts'

describe('readReload', () => {
  it.each([
    ['', { skip: false }],
    ['DVR', { skip: false }],
    ['_HLS_msn=7', { segment: 7, skip: false }],
    ['_HLS_msn=7&_HLS_part=2&_HLS_skip=YES', { segment: 7, part: 2, skip: true }],
    ['_HLS_skip=v2', { skip: true }],
  ])('reads "%s"', (query, expected) => {
    expect(readReload(new URLSearchParams(query))).toEqual({ segment: undefined, part: undefined, ...expected })
  })

  it.each(['_HLS_part=1', '_HLS_msn=-1', '_HLS_msn=1.5', '_HLS_msn=', '_HLS_msn=1&_HLS_part=x', '_HLS_skip=NO'])(
    'refuses "%s"',
    (query) => {
      expect(readReload(new URLSearchParams(query))).toBeUndefined()
    },
  )
})

describe('judgeReload', () => {
  /** Two complete segments, and two parts of the third. */
  const timeline = timelineOf(14)

  it.each([
    [undefined, undefined, 'now'],
    [1, undefined, 'now'],
    [1, 5, 'now'],
    [1, 6, 'now'], // the first part of the next segment is there
    [2, undefined, 'wait'],
    [2, 1, 'now'],
    [2, 2, 'wait'],
    [2, 9, 'wait'],
    [2, 10, 'ahead'], // more than three seconds of parts
    [3, undefined, 'wait'],
    [3, 7, 'wait'],
    [3, 8, 'ahead'],
    [4, 0, 'ahead'],
  ] as const)('answers segment %s, part %s: %s', (segment, part, expected) => {
    expect(judgeReload(timeline, { segment, part })).toBe(expected)
  })

  it('waits for the next segment after the last part of the newest', () => {
    expect(judgeReload(timelineOf(12), { segment: 1, part: 6 })).toBe('wait')
    expect(judgeReload(timelineOf(12), { segment: 1, part: 5 })).toBe('now')
  })

  it('answers everything after the end', () => {
    const ended = timelineOf(12)
    ended.end()
    expect(judgeReload(ended, { segment: 9, part: 0 })).toBe('now')
  })
})
