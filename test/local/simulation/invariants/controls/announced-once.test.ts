import { describe, expect, it } from 'vitest'
import { announcedOnce } from '../../../../../local/simulation/invariants/controls/announced-once.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'

const line = (words: string): TraceEntry => ({ at: 0, line: `    0.000 ${words}`, show: 'a-show' })
const call = (caller: string, name: string, status = 200): TraceEntry => ({
  ...line(''),
  call: { caller, name, status },
})
/** An attempt of a task to announce something. */
const attempt = (caller: string, { isNoted = true, status = 200, show = 'a-show' } = {}) =>
  [
    line(`cloud -> ${caller} invoked`),
    call(caller, 'platform signalSession', status),
    ...(isNoted ? [call(caller, 's3 PutObject shows/a-show/state.json')] : []),
    line(`${caller} -> cloud Runtime.ExitError`),
  ].map((entry) => ({ ...entry, show }))

const judge = (...attempts: TraceEntry[][]) => announcedOnce({ trace: attempts.flat(), shows: [] })

describe('announcedOnce', () => {
  it('finds an announcement that is sent again after it was noted', () => {
    expect(judge(attempt('GoLive'), attempt('GoLive/2'))).toEqual([
      'GoLive/2 announced again what the show a-show had noted, at 1970-01-01T00:00:00.000Z',
    ])
  })

  it('accepts another attempt before it was noted, another task, and another show', () => {
    expect(judge(attempt('GoLive', { isNoted: false }), attempt('GoLive'))).toEqual([])
    expect(judge(attempt('GoLive'), attempt('StopShow'))).toEqual([])
    expect(judge(attempt('GoLive'), attempt('GoLive', { show: 'another-show' }))).toEqual([])
    expect(judge(attempt('GoLive'), attempt('GoLive', { status: 500 }))).toEqual([])
  })
})
