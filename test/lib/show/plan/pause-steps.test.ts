import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { archiveReasons } from '../../../../lib/platform/contract/archives.ts'
import { MIN_PAUSE } from '../../../../lib/show/document/fields/pauses.ts'
import { show as showSchema } from '../../../../lib/show/document/show.ts'
import { planParts, stepsAhead } from '../../../../lib/show/plan/next-parts.ts'
import { timeOfNextPoll } from '../../../../lib/show/plan/poll-interval.ts'
import type { RecordingState } from '../../../../lib/show/state/resources.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { at, BEGINNING, follow, gaps, mostAtOnce } from './parts-model.ts'

const HOUR = 3_600
const NAME = 'recording-0'
const show = showSchema.parse({
  ...{ version: 1, name: 'A show', duration: HOUR },
  recordings: [{ name: 'program', pauses: [{ from: 600, to: 1_200 }] }],
})
type Entry = Partial<RecordingState>

/** Describes one poll of a show whose recording has these parts. @param seconds of live time */
function poll(seconds: number, entries: readonly Entry[], isFresh = true) {
  const recordings = entries.map((entry, index) => ({
    ...{ name: 'program', part: index + 1, tag: `a/program/${index + 1}`, archiveId: `${index + 1}` },
    ...{ createdAt: at(0), status: 'started' as const, ...entry },
  }))
  const state = {
    ...{ version: 1, showId: 'a', name: 'A show', status: 'live', acceptedAt: at(0), liveAt: at(0) },
    ...{ plannedEndAt: at(HOUR), recordings, broadcasts: [], scenes: [], dialIns: [], controls: [] },
    ...{ closings: 0, timeline: [] },
  } as ShowState
  const situation = { show, state, broadcasts: [], isFresh, now: BEGINNING + seconds * 1000 }
  const steps = stepsAhead(situation)
  const due = planParts(situation)?.recordings ?? { start: [], stop: [] }
  const partsOf = (named: readonly { part: number }[]) => named.map(({ part }) => part)
  return {
    start: partsOf(due.start),
    stop: partsOf(due.stop),
    ahead: steps.map(({ action, part, at }) => `${action} ${part} at ${(at - BEGINNING) / 1000}`),
    next: (timeOfNextPoll(situation, steps) - BEGINNING) / 1000,
  }
}
const stopped = { status: 'uploaded' as const, stoppedAt: at(602), reason: archiveReasons.userInitiated }
const left = { status: 'uploaded' as const, reason: archiveReasons.sessionEnded }
const failed = { status: 'failed' as const, reason: archiveReasons.failure }

describe('planned pauses', () => {
  it('are the only gaps of a recording, in a show of any length', () => {
    const lengths = fc.integer({ min: MIN_PAUSE, max: 6 * HOUR })
    const courses = fc.record({
      lengths: fc.array(fc.tuple(lengths, lengths), { minLength: 1, maxLength: 5 }),
      last: lengths,
      delay: fc.double({ min: 0.1, max: 3, noNaN: true }),
    })
    fc.assert(
      fc.property(courses, ({ lengths, last, delay }) => {
        let end = 0
        const pauses = lengths.map(([recorded, paused]) => {
          const from = end + recorded
          end = from + paused
          return { from, to: end }
        })
        const { runs } = follow({ duration: end + last, delay, pauses })
        const found = gaps(runs, NAME, end + last)
        expect(found).toHaveLength(pauses.length)
        for (const [index, { from, to }] of pauses.entries()) {
          const [began = 0, ended = 0] = found[index] ?? []
          expect([began - from, ended - to].every((late) => late >= 0 && late < delay + 0.3)).toBe(true)
        }
        expect(mostAtOnce(runs, NAME)).toBeLessThanOrEqual(2)
      }),
      { numRuns: 30, seed: 4 },
    )
  })

  it('are polled exactly, although other steps are taken together', () => {
    expect(poll(590, [{}])).toMatchObject({ stop: [], start: [], next: 600 })
    expect(poll(600, [{}])).toMatchObject({ stop: [1], start: [] })
    expect(poll(1_190, [stopped])).toMatchObject({ stop: [], start: [], next: 1_200 })
    expect(poll(1_200, [stopped])).toMatchObject({ stop: [], start: [2] })
  })

  it('are awaited while the platform cannot be observed, and nothing is stopped by older statuses', () => {
    expect(poll(560, [{}], false).next).toBe(600)
    expect(poll(601, [{}], false).stop).toEqual([])
  })

  it('stop every part that runs, also one that was started in the pause', () => {
    expect(poll(600, [{}, { createdAt: at(595) }]).stop).toEqual([1, 2])
    expect(poll(700, [stopped, { createdAt: at(699) }])).toMatchObject({ stop: [2], start: [] })
  })

  it('stop no part again on the word of a list that lags, and resume all the same', () => {
    const stale = { ...stopped, status: 'started' as const }
    expect(poll(610, [stale])).toMatchObject({ stop: [], ahead: ['start 2 at 1200'] })
    expect(poll(1_200, [stale]).start).toEqual([2])
  })

  it('delay the next part of one that failed within or shortly before them', () => {
    expect(poll(650, [{ ...failed, createdAt: at(100) }]).ahead).toEqual(['start 2 at 1200'])
    expect(poll(590, [failed, { ...failed, createdAt: at(589) }]).ahead).toEqual(['start 3 at 1200'])
  })

  it('are followed by the next part of one that failed before them, even if failures would delay it longer', () => {
    const again = [100, 200, 300, 550].map((seconds) => ({ ...failed, createdAt: at(seconds) }))
    expect(poll(590, [failed, ...again]).ahead).toEqual(['start 6 at 1200'])
  })

  it('are kept by participants who leave shortly before, but not much earlier', () => {
    expect(poll(580, [left]).ahead).toEqual(['start 2 at 1200'])
    expect(poll(200, [left]).ahead).toEqual([])
  })

  it('are given up five minutes after their end if no participant is back', () => {
    expect(poll(1_499, [stopped]).start).toEqual([2])
    expect(poll(1_500, [stopped]).start).toEqual([])
  })

  it('leave a recording as it is that ran through them because the platform was away', () => {
    expect(poll(1_300, [{}])).toMatchObject({ ahead: [], start: [], stop: [] })
  })
})
