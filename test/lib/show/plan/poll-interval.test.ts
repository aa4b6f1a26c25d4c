import { describe, expect, it } from 'vitest'
import type { PartStep } from '../../../../lib/show/plan/part-sequences.ts'
import {
  FAST_POLL_WINDOW,
  MAX_POLL_INTERVAL,
  MIN_POLL_INTERVAL,
  SHARED_POLL_INTERVAL,
  secondsUntilNextPoll,
  timeOfNextPoll,
  WARM_UP,
} from '../../../../lib/show/plan/poll-interval.ts'
import type { BroadcastState } from '../../../../lib/show/state/resources.ts'
import type { TimelineEntry } from '../../../../lib/show/state/timeline.ts'
import { at, BEGINNING } from './parts-model.ts'

describe('secondsUntilNextLook', () => {
  it('is a share of the time waited, in whole seconds, and at least two', () => {
    expect([0, 30, 79.9, 100, 610, 86_400].map((waited) => secondsUntilNextPoll(waited, 1 / 40))).toEqual([
      2, 2, 2, 2, 15, 2160,
    ])
  })
})

describe('nextLook', () => {
  const END = 10_000
  const step = (action: PartStep['action'], seconds: number): PartStep => ({
    kind: 'recordings',
    action,
    name: 'a',
    part: 1,
    at: BEGINNING + seconds * 1000,
  })
  const wait = (
    now: number,
    steps: PartStep[] = [],
    broadcasts: BroadcastState[] = [],
    timeline: TimelineEntry[] = [],
    sharing: { showId?: string; sharedBy?: number } = {},
  ) => {
    const { showId = 'a-show', sharedBy } = sharing
    const state = { showId, liveAt: at(0), plannedEndAt: at(END), broadcasts, timeline } as never
    return (timeOfNextPoll({ state, now: BEGINNING + now * 1000 }, steps, sharedBy) - BEGINNING) / 1000 - now
  }
  const live = (createdAt: number): BroadcastState => ({
    name: 'live',
    part: 2,
    tag: 'a/live/2',
    status: 'started',
    createdAt: at(createdAt),
  })

  it('is soon while the show is young', () => {
    expect([0, WARM_UP - 1, WARM_UP].map((now) => wait(now))).toEqual([
      MIN_POLL_INTERVAL,
      MIN_POLL_INTERVAL,
      MAX_POLL_INTERVAL,
    ])
  })

  it('is in step with the polls of other shows, for each show at its own moment', () => {
    const times = (sharedBy: number, now: number) =>
      Array.from({ length: 500 }, (_, index) => now + wait(now, [], [], [], { showId: `show-${index}`, sharedBy }))
    const spreadOf = (all: readonly number[]) => Math.max(...all) - Math.min(...all)
    const few = times(3, 500)
    const next = times(3, Math.max(...few))
    expect(spreadOf(few) % SHARED_POLL_INTERVAL).toBeLessThanOrEqual(2.5)
    expect(next.map((time, index) => (time - (few[index] ?? 0)) % SHARED_POLL_INTERVAL)).toEqual(few.map(() => 0))
    expect(spreadOf(times(100_000, 500))).toBeGreaterThan(50)
    const inOrder = few.map((time) => time % SHARED_POLL_INTERVAL).toSorted((one, other) => one - other)
    const middle = (inOrder[250] ?? 0) - (inOrder[0] ?? 0)
    expect(middle).toBeGreaterThan(1) // of 2.5 s: ids that count up are spread, too
    expect(middle).toBeLessThan(1.5)
    const waits = [...times(3, 500), ...times(400, 500)].map((time) => time - 500)
    expect(Math.max(...waits)).toBeLessThan(SHARED_POLL_INTERVAL + 1)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1)
  })

  it('is soon for a young show that shares observations, too', () => {
    expect(wait(10, [], [], [], { sharedBy: 3 })).toBe(MIN_POLL_INTERVAL)
  })

  it('is at the planned end if that is first', () => {
    expect(wait(END - 10)).toBe(10)
  })

  it('is soon until a broadcast is live, but not for ever', () => {
    expect(wait(1_010, [], [live(1_000)])).toBe(MIN_POLL_INTERVAL)
    expect(wait(1_000 + FAST_POLL_WINDOW, [], [live(1_000)])).toBe(MAX_POLL_INTERVAL)
    const entry = { at: at(1_005), what: 'broadcast.live', name: 'live' } as const
    expect(wait(1_010, [], [live(1_000)], [{ ...entry, part: 2 }])).toBe(MAX_POLL_INTERVAL)
    expect(wait(1_010, [], [live(1_000)], [{ ...entry, part: 1 }])).toBe(MIN_POLL_INTERVAL)
  })

  it('is soon while something that is due is being done, but not for ever', () => {
    expect(wait(1_000, [step('start', 1_000)])).toBe(MIN_POLL_INTERVAL)
    expect(wait(1_000 + FAST_POLL_WINDOW, [step('start', 1_000)])).toBe(MAX_POLL_INTERVAL)
  })

  it('is exactly when something is due, and once for stops that are due at about once', () => {
    expect(wait(1_000, [step('start', 1_010), step('start', 1_020)])).toBe(10)
    expect(wait(1_000, [step('stop', 1_007), step('stop', 1_009), step('stop', 1_045)])).toBe(9)
  })
})
