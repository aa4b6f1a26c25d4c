import { describe, expect, it } from 'vitest'
import { repeatedStops } from '../../../../../local/simulation/invariants/model/repeated-stops.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change } from '../made-up-evidence.ts'

const path = '/v2/project/1234/archive/one/stop'
const stop = { caller: 'StopShow', name: 'platform stopArchive', path }
const line = (words: string): TraceEntry => ({ at: 10, line: `    0.010 ${words}` })
const invoked = line('cloud -> StopShow invoked')
const done = line('StopShow -> cloud done')
const throttled: TraceEntry = { at: 5, line: '', fault: '429', refused: { ...stop, status: 429 } }
const stopped: TraceEntry = { at: 6, line: '', call: { ...stop, status: 200 } }
const check = (trace: TraceEntry[], statusChanges = [change(0)]) => repeatedStops({ trace, statusChanges })

describe('repeatedStops', () => {
  it('finds a task that takes a throttled stop for done', () => {
    expect(check([invoked, throttled, done])).toEqual([
      'StopShow succeeded although the platform answered 429 to platform stopArchive of one',
    ])
    expect(check([invoked, { ...stopped, call: { ...stop, status: 503 } }, done])).toHaveLength(1)
  })

  it.each<[string, TraceEntry[]]>([
    ['repeats the stop', [invoked, throttled, stopped, done]],
    ['fails, and so is repeated', [invoked, throttled, line('StopShow -> cloud PlatformThrottledError')]],
    ['finds it ended', [invoked, { ...stopped, call: { ...stop, status: 409 } }, done]],
  ])('accepts a task that %s', (_, trace) => {
    expect(check(trace)).toEqual([])
  })

  it('accepts a stop of what has ended meanwhile, and one by a task that polls again', () => {
    expect(check([invoked, throttled, done], [change(8, { status: 'stopped' })])).toEqual([])
    const polling = (entry: TraceEntry): TraceEntry => ({
      ...entry,
      line: entry.line.replace('StopShow', 'CheckUploads'),
      ...(entry.refused && { refused: { ...entry.refused, caller: 'CheckUploads' } }),
    })
    expect(check([invoked, throttled, done].map(polling))).toEqual([])
  })
})
