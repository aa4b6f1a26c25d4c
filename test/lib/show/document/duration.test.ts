import { describe, expect, it } from 'vitest'
import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import { parseShow } from '../../../../lib/show/document/show.ts'

const parse = (changes: object) =>
  parseShow({ version: 1.1, name: 'A', duration: null, recordings: [{ name: 'program' }], ...changes })
const problemsOf = (changes: object) => {
  const parsed = parse(changes)
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('an open end', () => {
  it('has a longest time and a wait by default', () => {
    expect(parse({})).toMatchObject({ show: { duration: null, maxDuration: 36_000, emptyWait: 300 } })
    expect(parse({ maxDuration: 60, emptyWait: 5 })).toMatchObject({ show: { maxDuration: 60, emptyWait: 5 } })
  })

  it.each([
    [{ maxDuration: 604_801 }, 'maxDuration: must be at most 604800'],
    [{ emptyWait: 0 }, 'emptyWait: must be at least 1'],
    [{ duration: 60, maxDuration: 60 }, 'maxDuration: is only for a show with an open end, which has duration null'],
    [{ duration: 60, emptyWait: 60 }, 'emptyWait: is only for a show with an open end, which has duration null'],
    [{ duration: undefined }, 'duration: is missing'],
    [
      { recordings: [{ name: 'program', parts: false }] },
      'recordings[0].parts: must be true in a show of 36000 s: the platform stops an archive after 14400 s',
    ],
    [
      { maxDuration: 60, cues: [{ at: 60, marker: 'Late' }] },
      'cues[0].at: must be before the end of the show, which lasts 60 s',
    ],
  ])('refuses %j: %s', (changes, problem) => {
    expect(problemsOf(changes)).toEqual([problem])
  })

  it('allows broadcasts in one part for its default', () => {
    expect(problemsOf({ broadcasts: [{ name: 'live', hls: {} }] })).toEqual([])
  })
})

describe('maxSecondsOf', () => {
  it('is the duration, or the longest time', () => {
    expect(maxSecondsOf({ duration: 60 })).toBe(60)
    expect(maxSecondsOf({ duration: null, maxDuration: 90 })).toBe(90)
    expect(maxSecondsOf({ duration: null })).toBe(36_000)
  })
})
