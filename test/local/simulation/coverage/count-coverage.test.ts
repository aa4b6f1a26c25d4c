import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../../local/cloud/states/execution/history.ts'
import { createCoverageCounter } from '../../../../local/simulation/coverage/count-coverage.ts'

/** Makes a history of events, each after the one before unless it names another. */
const historyOf = (...events: readonly (readonly [type: string, details?: object, previous?: number])[]) =>
  events.map(
    ([type, details = {}, previousEventId], index): HistoryEvent => ({
      id: index + 1,
      previousEventId: previousEventId ?? index,
      timestamp: new Date(0),
      type,
      anyEventDetails: details as Readonly<Record<string, unknown>>,
    }),
  )

const show = { executionArn: 'one', machine: 'show' }
const entered = (name: string) => ['TaskStateEntered', { name }] as const
const failed = (error: string) => ['LambdaFunctionFailed', { error }] as const

describe('createCoverageCounter', () => {
  it('counts states, errors, retries and catches by machine', () => {
    const counter = createCoverageCounter()
    const history = historyOf(
      ['ExecutionStarted'],
      entered('Open session'),
      ['LambdaFunctionScheduled'],
      failed('Sandbox.Timedout'),
      ['LambdaFunctionScheduled'],
      failed('PlatformAuthError'),
      ['TaskStateExited', { name: 'Open session' }],
      entered('Stop show'),
    )
    counter.read(show, history.slice(0, 5))
    counter.read(show, history.slice(5))
    expect(counter.taken()).toMatchObject({
      states: { 'show: Open session': 1, 'show: Stop show': 1 },
      errors: { 'show: Sandbox.Timedout': 1, 'show: PlatformAuthError': 1 },
      retries: { 'show: Open session after Sandbox.Timedout': 1 },
      catches: { 'show: Open session after PlatformAuthError': 1 },
    })
  })

  it('counts calls and strikes by the state of the show, which maps do not change', () => {
    const counter = createCoverageCounter()
    const siteOf = (operation: string) => counter.siteOf({ caller: 'WatchShow', operation })
    counter.call(siteOf('api POST /shows'))
    counter.read(
      show,
      historyOf(
        ['ExecutionStarted'],
        ['MapStateEntered', { name: 'Start recordings' }],
        ['MapIterationStarted'],
        entered('Start recording'),
        ['TaskStateExited', { name: 'Start recording' }],
        entered('Recording not started'),
      ),
    )
    counter.call(siteOf('platform startArchive'))
    counter.strike('429', siteOf('platform startArchive'))
    counter.read({ ...show, machine: 'watch', executionArn: 'other' }, historyOf(entered('Watch show')))
    expect(counter.state).toBe('Start recordings')
    const exited = ['MapStateExited', { name: 'Start recordings' }] as const
    const after = historyOf(...Array<readonly ['']>(6).fill(['']), exited, entered('Go live')).slice(6)
    counter.read(show, after)
    expect(counter.state).toBe('Go live')
    counter.read(show, [{ id: 9, previousEventId: 8, timestamp: new Date(0), type: 'ExecutionSucceeded' }])
    counter.call(siteOf('platform startArchive'))
    expect(counter.taken()).toMatchObject({
      calls: {
        'api POST /shows @ before the show': 1,
        'platform startArchive @ Start recordings': 1,
        'platform startArchive @ after the show': 1,
      },
      strikes: { '429 × platform startArchive @ Start recordings': 1 },
    })
  })
  it('counts calls of publishing by the function that makes them', () => {
    const { siteOf } = createCoverageCounter()
    const put = 's3 PutObject recordings/*/manifest.json'
    expect(siteOf({ caller: 'WriteManifest', operation: put })).toBe(`${put} @ WriteManifest`)
    expect(siteOf({ caller: 'cloud', operation: 'lambda WriteManifest' })).toBe('lambda WriteManifest @ publishing')
    expect(siteOf({ caller: 'cloud', operation: 'lambda StopShow' })).toBe('lambda StopShow @ before the show')
  })
})
