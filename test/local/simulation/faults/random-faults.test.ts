import { describe, expect, it } from 'vitest'
import type { Decide, NumberedCall } from '../../../../local/simulation/faults/fault.ts'
import {
  createRandomFaults,
  drawOutages,
  type RandomFaultsOptions,
} from '../../../../local/simulation/faults/random-faults.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

const open = (options: Partial<RandomFaultsOptions> = {}) =>
  createRandomFaults({ random: createRandom(1, 'faults'), rate: 0.1, beginning: 0, maxFaults: 100_000, ...options })
const call = (more: Partial<NumberedCall> = {}): NumberedCall => ({
  ...{
    caller: 'WatchShow',
    target: 'platform',
    operation: 'platform listArchives',
    occurrence: 1,
    now: 0,
    site: '',
  },
  ...more,
})
const kindsOf = (decide: Decide, times: number, more?: Partial<NumberedCall>) =>
  Array.from({ length: times }, () => decide(call(more))?.kind)

describe('createRandomFaults', () => {
  it('repeats what a seed decides', () => {
    const draw = (seed: number) => kindsOf(open({ random: createRandom(seed, 'faults') }), 500)
    expect(draw(3)).toEqual(draw(3))
    expect(draw(3)).not.toEqual(draw(4))
  })

  it('draws every kind that applies to the call, and no other', () => {
    const ofTasks = new Set(kindsOf(open(), 20_000))
    expect(ofTasks).toContain('killed after')
    expect(ofTasks).not.toContain('throttled')
    expect(ofTasks.size).toBe(13 + 1)
    const ofUploads = new Set(
      kindsOf(open(), 20_000, { caller: 'platform', target: 'aws', operation: 's3 PutObject x' }),
    )
    expect(ofUploads).not.toContain('404')
    expect(ofUploads.size).toBe(10 + 1)
    const ofInvocations = new Set(kindsOf(open(), 5_000, { target: 'function', operation: 'lambda WatchShow' }))
    expect([...ofInvocations].filter(Boolean).toSorted()).toEqual([
      'crashed after',
      'crashed before',
      'out of memory',
      'throttled',
      'timed out after',
      'timed out before',
    ])
  })

  it('strikes at about the given rate, without bursts', () => {
    const struck = kindsOf(open(), 20_000).filter(Boolean).length
    expect(struck).toBeGreaterThan(2_000)
    expect(struck).toBeLessThan(4_000)
  })

  it('kills the functions of a task once in the given time', () => {
    const isKill = (kind: string | undefined) => kind?.startsWith('killed')
    const decide = open({ secondsBetweenKills: 300 })
    const killsAt = (now: number, caller: string) => kindsOf(decide, 5_000, { now, caller }).filter(isKill)
    expect(killsAt(0, 'SweepShows')).toHaveLength(1)
    expect(killsAt(299_999, 'SweepShows')).toHaveLength(0)
    expect(killsAt(299_999, 'WatchShow')).toHaveLength(1)
    expect(killsAt(300_000, 'SweepShows')).toHaveLength(1)
  })

  it('ends when it has struck as often as it may', () => {
    expect(kindsOf(open({ rate: 1, maxFaults: 7 }), 50).filter(Boolean)).toHaveLength(7)
  })

  it('fails all calls to a target during its outage, at any rate', () => {
    const decide = open({ rate: 0, outages: [{ at: 10, seconds: 5, of: 'platform', kind: '500' }] })
    const at = (now: number, operation = 'platform stopArchive') => decide(call({ now, operation }))?.kind
    expect([at(9_999), at(10_000), at(14_999), at(15_000)]).toEqual([undefined, '500', '500', undefined])
    expect(at(12_000, 's3 GetObject x')).toBeUndefined()
  })

  it('lets all calls to a slow target take 4 s', () => {
    const decide = open({ rate: 0, outages: [{ at: 10, seconds: 5, of: 'platform', kind: 'slow' }] })
    expect(decide(call({ now: 10_000, operation: 'platform stopArchive' }))).toEqual({ kind: 'slow', seconds: 4 })
  })
})

describe('drawOutages', () => {
  it('draws none to as many as it may, from a second to ten minutes', () => {
    const outages = Array.from({ length: 200 }, (_, seed) =>
      drawOutages(createRandom(seed, 'x'), { within: 100, max: 3 }),
    )
    expect(new Set(outages.map(({ length }) => length))).toEqual(new Set([0, 1, 2, 3]))
    for (const { at, seconds } of outages.flat()) {
      expect(at).toBeLessThan(100)
      expect(seconds >= 1 && seconds <= 600).toBe(true)
    }
  })
})
