import { describe, expect, it } from 'vitest'
import {
  CLAIM,
  chooseObservation,
  FRESH,
  lastChangeOf,
  listedSince,
  USABLE,
} from '../../../../lib/show/plan/shared-observation.ts'
import type { ListedKind, SharedObservation } from '../../../../lib/show/state/shared-observation.ts'

const NOW = Date.parse('2030-01-01T12:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** An observation of this age by another show. */
const observed = (age: number, changes: Partial<SharedObservation> = {}): SharedObservation => ({
  version: 1,
  by: 'other',
  expiresAt: iso(NOW + 60_000),
  observedAt: iso(NOW - age),
  shows: 100,
  archives: { neededAt: iso(NOW - age), items: [] },
  ...changes,
})
const { observedAt: _none, archives: _nothing, ...announced } = observed(0, { shows: 1 })

const choose = (shared: SharedObservation | undefined, changes: { kinds?: ListedKind[]; changedAt?: number } = {}) =>
  chooseObservation(shared, { showId: 'mine', kinds: ['archives'], changedAt: NOW - 600_000, now: NOW, ...changes })

describe('chooseObservation', () => {
  it('announces a show where none is known, also after what is known has expired', () => {
    expect(choose(undefined)).toBe('announce')
    expect(choose({ ...observed(0), expiresAt: iso(NOW) })).toBe('announce')
  })

  it('observes alone as long as no other show has come', () => {
    expect(choose({ ...announced, by: 'mine' })).toBe('alone')
  })

  it('claims the first observation when another show is live, and awaits one that is claimed', () => {
    expect(choose(announced)).toBe('claim')
    expect(choose({ ...announced, claimedUntil: iso(NOW + 1) })).toBe('await')
    expect(choose({ ...announced, claimedUntil: iso(NOW) })).toBe('claim')
  })

  it('shares a fresh observation, and an older one while another show observes', () => {
    expect(choose(observed(FRESH))).toBe('share')
    expect(choose(observed(FRESH + 1))).toBe('claim')
    expect(choose(observed(FRESH + 1, { claimedUntil: iso(NOW + CLAIM) }))).toBe('share')
    expect(choose(observed(USABLE, { claimedUntil: iso(NOW + CLAIM) }))).toBe('share')
    expect(choose(observed(USABLE + 1, { claimedUntil: iso(NOW + CLAIM) }))).toBe('await')
  })

  it('observes alone when the show has changed since what others may still use', () => {
    expect(choose(observed(FRESH), { changedAt: NOW - FRESH })).toBe('alone')
    expect(choose(observed(FRESH), { changedAt: NOW - FRESH - 1_000 })).toBe('share')
  })

  it('observes for all when a list is missing', () => {
    expect(choose(observed(0), { kinds: ['archives', 'broadcasts'] })).toBe('claim')
    expect(choose(observed(0, { shows: 2 }), { kinds: ['archives', 'broadcasts'] })).toBe('publish')
  })

  it('lets few shows share one observation in each interval, without claims', () => {
    const few = (age: number) => choose(observed(age, { shows: 2 }))
    expect([USABLE, USABLE + 1, 9_999, 10_000, 59_000].map(few)).toEqual([
      'share',
      'alone',
      'alone',
      'publish',
      'publish',
    ])
  })

  it('trusts no time of the future', () => {
    expect(choose(observed(-5_000))).toBe('announce')
    expect(choose(observed(USABLE + 1, { claimedUntil: iso(NOW + 3_600_000) }))).toBe('claim')
  })
})

describe('lastChangeOf', () => {
  it('is the last event, or the last stop of a part', () => {
    const state = { liveAt: iso(NOW), timeline: [{ at: iso(NOW + 1), what: 'broadcast.live' }], recordings: [{}] }
    expect(lastChangeOf(state as never)).toBe(NOW + 1)
    expect(lastChangeOf({ ...state, recordings: [{ stoppedAt: iso(NOW + 2) }] } as never)).toBe(NOW + 2)
  })
})

describe('listedSince', () => {
  const running = (createdAt: number) => ({
    ...{ id: 'a', sessionId: 's', tag: 'show/program/1', status: 'started', createdAt },
  })

  it('is the creation of the oldest that ran, less the lag of lists', () => {
    const items = [running(NOW - 1_000_000), running(NOW - 2_000_000)]
    const shared = observed(1_000, { archives: { neededAt: iso(NOW), items } })
    expect(listedSince(shared, 'archives', 0)).toBe(NOW - 2_000_000 - 120_000)
    expect(listedSince(observed(1_000), 'archives', 0)).toBe(NOW - 1_000 - 120_000)
  })

  it('is the maximum age without an observation, or without this list', () => {
    expect(listedSince(undefined, 'archives', 42)).toBe(42)
    expect(listedSince(observed(0), 'broadcasts', 42)).toBe(42)
    expect(listedSince(announced, 'archives', 42)).toBe(42)
  })
})
