import { describe, expect, it } from 'vitest'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { TimedStatusChange } from '../../../../local/simulation/environment/watch-resources.ts'
import type { FailedCall } from '../../../../local/simulation/faults/faults.ts'
import type { Evidence } from '../../../../local/simulation/invariants/evidence.ts'
import type { TraceEntry } from '../../../../local/simulation/trace.ts'
import { BEGINNING } from '../../../../local/simulation/world.ts'
import { against, broken, change, recording, show, well } from './made-up-world.ts'

describe('noticed in time', () => {
  const LIVE = 4_000_000
  const at = (seconds: number) => BEGINNING + LIVE + seconds * 1000
  const iso = (seconds: number) => new Date(at(seconds)).toISOString()
  const faultAt = (seconds: number, fault: string): TraceEntry => ({ at: at(seconds), line: '', fault })
  const failedCallAt = (seconds: number, caller: string): FailedCall => ({
    ...{ caller, operation: 's3 GetObject', kind: '500', at: at(seconds) },
  })
  /** A show that was live from second 0 and was to end at 600. */
  const live = (more: object = {}, endedAt = 600) => [
    {
      ...well,
      state: {
        ...{ ...well.state, liveAt: iso(0), plannedEndAt: iso(600), endedAt: iso(endedAt) },
        ...{ recordings: [recording], broadcasts: [], timeline: [], ...more },
      } as unknown as ShowState,
    },
  ]
  const until = (status: string, seconds: number, more: Partial<TimedStatusChange> = {}) => [
    change({ at: at(0), ...more }),
    change({ status, at: at(seconds), ...more }),
  ]
  const failedAt = (seconds: number) => [{ what: 'recording.failed', name: 'program', part: 1, at: iso(seconds) }]
  const late = (more: Partial<Evidence>) => broken(more).match(/noticed in time: .*/)?.[0]

  it('has nothing against what is noticed as soon as it can be', () => {
    expect(late({ shows: live(), statusChanges: until('stopped', 600) })).toBeUndefined()
    expect(late({ shows: live({ timeline: failedAt(150) }), statusChanges: until('failed', 100) })).toBeUndefined()
    expect(late({ shows: live({}, 160), statusChanges: until('stopped', 100) })).toBeUndefined()
    const asked = live({ stopAskedAt: iso(100) }, 150)
    expect(late({ shows: asked, statusChanges: until('stopped', 104) })).toBeUndefined()
    const moved = [{ what: 'control.duration', at: iso(590) }]
    expect(late({ shows: live({ timeline: moved }, 640), statusChanges: until('stopped', 640) })).toBeUndefined()
  })

  it('lets a show wait for the end of a pause, and for participants to come back', () => {
    const pauses = [{ from: 100, to: 300 }]
    const request = { show: { ...show, recordings: [{ name: 'program', pauses }] } } as unknown as ShowRequest
    const paused = (endedAt: number) => live({}, endedAt).map((one) => ({ ...one, request }))
    expect(against({ shows: paused(660), statusChanges: until('stopped', 102) })).not.toContainEqual(
      expect.stringContaining('nothing ran'),
    )
    expect(broken({ shows: paused(661), statusChanges: until('stopped', 102) })).toContain('nothing ran')
  })

  it.each<[string, Partial<Evidence>]>([
    [
      'it was noticed that the archive a-show/program/1 had failed after 61 s',
      { shows: live({ timeline: failedAt(161) }), statusChanges: until('failed', 100) },
    ],
    [
      'it was noticed that the archive a-show/program/1 had failed after Infinity s',
      { shows: live(), statusChanges: until('failed', 100) },
    ],
    [
      'the show a-show, of which nothing ran any more, ended after 61 s',
      { shows: live({}, 161), statusChanges: until('stopped', 100) },
    ],
    ['the show a-show ended after 11 s', { shows: live({}, 611), statusChanges: until('stopped', 611) }],
    [
      'the archive a-show/program/1 was stopped on request after 6 s',
      { shows: live({ stopAskedAt: iso(100) }, 150), statusChanges: until('stopped', 106) },
    ],
    [
      'the show a-show ended on request after 61 s',
      { shows: live({ stopAskedAt: iso(100) }, 161), statusChanges: until('stopped', 102) },
    ],
    [
      'the archive a-show/program/1 was stopped with its show after 11 s',
      { shows: live({}, 600), statusChanges: until('stopped', 611) },
    ],
  ])('finds that %s', (words, evidence) => {
    expect(late(evidence)).toBe(`noticed in time: ${words}`)
    const time = words.endsWith(' 11 s') ? 595 : 90
    const isForEver = words.includes('Infinity') // a fault delays what is noticed, and no more
    expect(late({ ...evidence, failedCalls: [failedCallAt(time, 'WatchShow')] }) !== undefined).toBe(isForEver)
    expect(late({ ...evidence, failedCalls: [failedCallAt(time, 'NotifyOwner')] })).toBeDefined()
    expect(late({ ...evidence, trace: [faultAt(time, 'restart')] }) !== undefined).toBe(isForEver)
    expect(late({ ...evidence, trace: [faultAt(time, 'broken archive')] })).toBeDefined()
  })
})
