import { describe, expect, it } from 'vitest'
import type { ShowState } from '../../../../../lib/show/state/state.ts'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { calledOffStarts } from '../../../../../local/simulation/invariants/starts/called-off-starts.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { showWith } from '../made-up-evidence.ts'

const STOP = 600_000

const judge = (
  what: string,
  at: number,
  {
    failedCalls = [],
    trace = [],
    startedAt,
  }: { failedCalls?: FailedCall[]; trace?: TraceEntry[]; startedAt?: number } = {},
) => {
  const entry = (of: string, time: number) => ({ what: of, name: 'guest', at: new Date(time).toISOString() })
  const started = startedAt === undefined ? [] : [entry(what.replace('failed', 'started'), startedAt)]
  const timeline = [...started, entry(what, at)] as ShowState['timeline']
  const show = showWith({ state: { timeline, stopAskedAt: new Date(STOP).toISOString() } })
  return calledOffStarts({ shows: [show], failedCalls, trace })
}

const failed = (more: Partial<FailedCall> = {}): FailedCall => ({
  ...{ caller: 'StartDialIn', operation: 'platform dial', kind: '500', show: 'a-show', at: STOP },
  ...more,
})
const answered = (name: string, status = 400): TraceEntry => ({
  ...{ at: STOP, line: '', show: 'a-show' },
  call: { caller: 'StartDialIn', name, status },
})

describe('calledOffStarts', () => {
  it.each(['scene.failed', 'dialIn.failed'])('finds %s after a stop', (what) => {
    expect(judge(what, STOP + 4_000)).toEqual([`the show a-show was stopped, and reports ${what} of guest`])
  })

  it('accepts the failure of a scene that had started before the stop', () => {
    expect(judge('scene.failed', STOP + 4_000, { startedAt: 0 })).toEqual([])
    expect(judge('scene.failed', STOP + 4_000, { startedAt: STOP })).toHaveLength(1)
  })

  it('accepts failures before the stop, and those of calls that failed', () => {
    expect(judge('dialIn.failed', STOP - 1)).toEqual([])
    expect(judge('dialIn.failed', STOP, { failedCalls: [failed()] })).toEqual([])
    expect(judge('dialIn.failed', STOP, { trace: [answered('platform dial')] })).toEqual([])
  })

  it.each<[string, Parameters<typeof judge>[2]]>([
    ['of another show', { failedCalls: [failed({ show: 'another' })] }],
    ['of another function', { failedCalls: [failed({ caller: 'StartScene' })] }],
    ['long before the stop', { failedCalls: [failed({ at: 0 })] }],
    ['that was only slow', { failedCalls: [failed({ kind: 'slow' })] }],
    ['of no call to the platform', { trace: [answered('secretsmanager GetSecretValue')] }],
    ['that was accepted', { trace: [answered('platform dial', 200)] }],
  ])('is not excused by a call %s', (_, calls) => {
    expect(judge('dialIn.failed', STOP, calls)).toHaveLength(1)
  })
})
