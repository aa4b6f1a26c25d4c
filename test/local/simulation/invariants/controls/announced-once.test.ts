import { describe, expect, it } from 'vitest'
import { announcedOnce } from '../../../../../local/simulation/invariants/controls/announced-once.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change, faultAt, showWith, watchFaultAt } from '../made-up-evidence.ts'

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

const judge = (...attempts: TraceEntry[][]) =>
  announcedOnce({ trace: attempts.flat(), shows: [], failedCalls: [], statusChanges: [] })

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

  it('finds a stop that is announced while an archive runs that it could see', () => {
    const stopped = (from: number, to: number, caller = 'StopShow') =>
      announcedOnce({
        trace: attempt(caller).map((entry) => ({ ...entry, at: 90_000 })),
        statusChanges: [change(from), change(to, { status: 'stopped' })],
        ...{ shows: [], failedCalls: [] },
      })
    expect(stopped(0, 91_000)).toEqual(['the show a-show announced its end while program/1 was recorded'])
    expect(stopped(0, 90_000)).toEqual([])
    expect(stopped(60_000, 91_000)).toEqual([])
    expect(stopped(0, 91_000, 'GoLive')).toEqual([])
  })

  describe('of an occasion', () => {
    const problem = ['the show a-show did not announce recordingStopped']
    const noted = (id: string, what = 'announcement.sent') => ({ what, id, at: new Date(0).toISOString() })

    /** Judges a show that announces the start and the stop of its recordings. */
    const announced = (
      timeline: object[],
      { state = {}, more = {}, trace = [faultAt(0)], failedCalls = [watchFaultAt(0)] } = {},
    ) => {
      const show = showWith({
        request: { announcements: { recordingStarted: {}, recordingStopped: {} } },
        state: {
          ...{ liveAt: new Date(0).toISOString(), closings: 0, timeline: [{ what: 'recording.started' }, ...timeline] },
          ...state,
        } as never,
      })
      return announcedOnce({ trace, failedCalls, shows: [{ ...show, ...more }], statusChanges: [] })
    }

    it('accepts one that is noted as announced, or as failed', () => {
      expect(announced([noted('recordingStarted'), noted('recordingStopped')])).toEqual([])
      expect(announced([noted('recordingStarted'), noted('recordingStopped', 'announcement.failed')])).toEqual([])
    })

    it('finds one that is not noted', () => {
      expect(announced([noted('recordingStarted')])).toEqual(problem)
      expect(announced([noted('recordingStarted'), noted('recordingStopped', 'cue.signal')])).toEqual(problem)
    })

    it('judges only shows that were live, and ran to their ends without an interruption', () => {
      const timeline = [noted('recordingStarted')]
      expect(announced(timeline, { state: { liveAt: undefined } })).toEqual([])
      expect(announced(timeline, { state: { closings: 1 } })).toEqual([])
      expect(announced(timeline, { more: { result: undefined } })).toEqual([])
      expect(announced(timeline, { trace: [faultAt(0, 'restart')] })).toEqual([])
      expect(announced(timeline, { failedCalls: [watchFaultAt(0, 'StopShow')] })).toEqual([])
    })
  })
})
