import { describe, expect, it } from 'vitest'
import type { PartStep } from '../../../../lib/show/plan/next-parts.ts'
import {
  FAST_POLL_WINDOW,
  MAX_POLL_INTERVAL,
  MIN_POLL_INTERVAL,
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
  ) => {
    const state = { liveAt: at(0), plannedEndAt: at(END), broadcasts, timeline } as never
    return (timeOfNextPoll({ state, now: BEGINNING + now * 1000 }, steps) - BEGINNING) / 1000 - now
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
