import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SHOW_SECONDS } from '../../../../lib/show/document/duration.ts'
import { MAX_PARTS_PER_HOUR, planParts } from '../../../../lib/show/plan/next-parts.ts'
import { CHANGE_OVER, LEAD, OVERLAP } from '../../../../lib/show/plan/part-sequences.ts'
import { follow, gaps, mostAtOnce } from './parts-model.ts'

const HOUR = 3_600
/** Seconds, as likely short as long, up to a day: the longest show is an example of its own. */
const durations = fc
  .double({ min: Math.log(300), max: Math.log(24 * HOUR), noNaN: true })
  .map((x) => Math.round(Math.exp(x)))
const hls = (parts = true) => [{ name: 'live', hls: {}, parts }]
const namesOf = (runs: readonly { name: string }[]) => [...new Set(runs.map(({ name }) => name))]

describe('planParts', () => {
  it('leaves no gap, and never lets more than two parts run at once, in a show of any length', () => {
    const courses = fc.record({
      duration: durations,
      recordings: fc.integer({ min: 1, max: 4 }),
      stagger: fc.double({ min: 0, max: 20, noNaN: true }),
      delay: fc.double({ min: 0.1, max: 5, noNaN: true }),
    })
    fc.assert(
      fc.property(courses, (course) => {
        const { runs } = follow({ ...course, broadcasts: hls() })
        for (const name of namesOf(runs)) {
          expect(gaps(runs, name, course.duration)).toEqual([])
          expect(mostAtOnce(runs, name)).toBeLessThanOrEqual(2)
        }
      }),
      {
        numRuns: 12,
        seed: 4,
        examples: [[{ duration: MAX_SHOW_SECONDS, recordings: 1, stagger: 0, delay: 1 }]],
      },
    )
  })

  it('polls no more often for many recordings than for one', () => {
    fc.assert(
      fc.property(durations, fc.double({ min: 0, max: 0.5, noNaN: true }), (duration, stagger) => {
        const one = follow({ duration, stagger })
        const ten = follow({ duration, stagger, recordings: 10 })
        expect(ten.looks).toBeLessThanOrEqual(one.looks * 1.02 + 1)
        expect(ten.rolls).toBeLessThanOrEqual(one.rolls * 1.5)
      }),
      { numRuns: 4, seed: 4 },
    )
  })

  it('bridges an outage of most of the lead', () => {
    const at = fc.double({ min: 14_400 - LEAD - 100, max: 14_400 + 30, noNaN: true })
    fc.assert(
      fc.property(at, (from) => {
        const { runs } = follow({ duration: 20_000, outage: [from, from + LEAD - 60] })
        expect(gaps(runs, 'recording-0', 20_000)).toEqual([])
        expect(mostAtOnce(runs, 'recording-0')).toBe(2)
      }),
      { numRuns: 25, seed: 4 },
    )
  })

  it('continues soon after a failed recording, but not often within an hour', () => {
    const times = fc.array(fc.double({ min: 1, max: 40_000, noNaN: true }), { maxLength: 40 })
    fc.assert(
      fc.property(times, (breaks) => {
        const { runs } = follow({ duration: 40_000, broadcasts: hls(), breaks: breaks.toSorted((a, b) => a - b) })
        const recordings = runs.filter(({ kind }) => kind === 'recordings')
        for (const { from } of recordings) {
          const within = recordings.filter((one) => one.part > 1 && one.from > from - HOUR && one.from <= from)
          expect(within.length).toBeLessThanOrEqual(MAX_PARTS_PER_HOUR + 1) // and one because of the four hours
        }
        expect(mostAtOnce(recordings, 'recording-0')).toBeLessThanOrEqual(2)
        const lone = breaks.length === 1 ? gaps(runs, 'recording-0', 40_000) : []
        for (const [from, to] of lone) expect(to - from).toBeLessThanOrEqual(52)
      }),
      { numRuns: 12, seed: 4 },
    )
  })

  it('waits after a second failure also when another recording starts', () => {
    const times = fc.array(fc.double({ min: 10, max: 120, noNaN: true }), { minLength: 3, maxLength: 8 })
    fc.assert(
      fc.property(times, (breaks) => {
        const { runs } = follow({ duration: 600, recordings: 2, breaks: breaks.toSorted((a, b) => a - b) })
        for (const { name, part, from } of runs.filter((run) => run.part > 2)) {
          const before = runs.find((run) => run.name === name && run.part === part - 1)
          expect(from - (before?.from ?? 0)).toBeGreaterThanOrEqual(15)
        }
      }),
      { numRuns: 25, seed: 4 },
    )
  })

  it('overlaps for the documented time', () => {
    const { runs } = follow({ duration: 40_000, broadcasts: hls() })
    const overlaps = (name: string) => {
      const own = runs.filter((run) => run.name === name)
      return own.slice(1).map(({ from }, index) => (own[index]?.to ?? 0) - from)
    }
    expect(runs.filter(({ name }) => name === 'recording-0')).toHaveLength(3)
    expect(runs.filter(({ name }) => name === 'live')).toHaveLength(2)
    for (const overlap of overlaps('recording-0')) {
      expect(overlap).toBeGreaterThanOrEqual(OVERLAP)
      expect(overlap).toBeLessThan(OVERLAP + 3)
    }
    expect(overlaps('live')[0]).toBeGreaterThanOrEqual(CHANGE_OVER)
  })

  it.each([14_400, 14_399, 300])('begins no further part in a show of %i s, which one holds', (duration) => {
    expect(follow({ duration }).runs).toHaveLength(1)
  })

  it('begins one in a show that is a little longer than one part', () => {
    expect(follow({ duration: 14_401 }).runs).toHaveLength(2)
  })

  it('hands a stream key over: parts of a broadcast to RTMP servers never run at once', () => {
    const rtmp = [{ id: 'one', serverUrl: 'rtmp://example.com/app', streamName: { secret: 'keys#one' } }]
    const { runs } = follow({ duration: 50_000, delay: 2, broadcasts: [{ name: 'live', hls: {}, rtmp, parts: true }] })
    expect(runs.filter(({ name }) => name === 'live')).toHaveLength(2)
    expect(mostAtOnce(runs, 'live')).toBe(1)
    expect(gaps(runs, 'live', 50_000)).toEqual([])
  })

  it('stops no part a second time on the word of a list that lags', () => {
    const { show, state } = follow({ duration: 14_500 })
    const last = Date.parse(state.recordings[1]?.createdAt ?? '')
    const stale = { ...state.recordings[0], status: 'started' as const }
    const plan = (changes: object) => {
      const recordings = [{ ...stale, ...changes }, state.recordings[1]] as typeof state.recordings
      return planParts({
        show,
        state: { ...state, recordings },
        broadcasts: [],
        isFresh: true,
        now: last + OVERLAP * 1000,
      })
    }
    expect(plan({ stoppedAt: undefined })?.recordings.stop).toEqual([{ name: 'recording-0', part: 1 }])
    expect(plan({})).toBeNull()
  })

  it('keeps to the limit that a broadcast was given', () => {
    const broadcasts = [{ name: 'live', hls: {}, parts: true, maxDuration: 60 }]
    const { runs } = follow({ duration: 900, broadcasts })
    expect(gaps(runs, 'live', 900)).toEqual([])
    expect(mostAtOnce(runs, 'live')).toBeLessThanOrEqual(2)
  })
})
