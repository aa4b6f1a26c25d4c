import { describe, expect, it } from 'vitest'
import { repeatedCallbacks } from '../../../../../local/simulation/invariants/callbacks/repeated-callbacks.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'

const line = (words: string, more: Partial<TraceEntry> = {}): TraceEntry => ({
  at: 0,
  line: `    0.000 ${words}`,
  ...more,
})
const answer = (status: number) => line('', { call: { caller: 'NotifyOwner', name: 'app POST /events', status } })
const lost = line('fault: NotifyOwner -> app POST /events lost before', { fault: 'lost before' })
const judge = (entry: TraceEntry, outcome = 'done') =>
  repeatedCallbacks({
    trace: [line('cloud -> NotifyOwner invoked'), entry, line(`NotifyOwner -> cloud ${outcome}`)],
    executions: [],
  })

describe('repeatedCallbacks', () => {
  it.each([429, 408, 500, 503])('finds a callback that was answered %i and is taken for delivered', (status) => {
    expect(judge(answer(status))).toEqual([
      `NotifyOwner succeeded at 1970-01-01T00:00:00.000Z although the app answered ${status}`,
    ])
    expect(judge(answer(status), 'ServiceError')).toEqual([])
  })

  it('finds a callback without an answer that is taken for delivered', () => {
    expect(judge(lost).join()).toContain('although the app did not answer')
    expect(judge(lost, 'ServiceError')).toEqual([])
  })

  it.each([200, 302, 404, 410])('accepts the answer %i as the last one', (status) => {
    expect(judge(answer(status))).toEqual([])
  })

  it('finds an execution that gives up before a day is over', () => {
    const timedOutAfter = (seconds: number, machine = 'notify') => ({
      ...{ machine, name: 'one', status: 'TIMED_OUT' },
      ...{ startDate: new Date(0), stopDate: new Date(seconds * 1000) },
    })
    const giveUp = (...executions: object[]) => repeatedCallbacks({ trace: [], executions: executions as never })
    expect(giveUp(timedOutAfter(60))).toEqual(['the execution one of notify gave up after 60 s'])
    expect(giveUp(timedOutAfter(86_400), timedOutAfter(60, 'publish'))).toEqual([])
  })
})
