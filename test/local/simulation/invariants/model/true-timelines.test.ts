import { describe, expect, it } from 'vitest'
import { trueTimelines } from '../../../../../local/simulation/invariants/model/true-timelines.ts'
import { asked, change, showWith } from '../made-up-evidence.ts'

const at = new Date(60_000).toISOString()
const changes = ['started', 'stopped', 'uploaded'].map((status, index) => change(index * 1_000, { status }))

/** Judges a timeline of one entry about part 1 of `program`. */
function judge(
  entry: { readonly what: string; readonly [field: string]: unknown },
  { statusChanges = changes, apiRequests = [] as ReturnType<typeof asked>[], result = {} } = {},
) {
  const timeline = [{ at, name: 'program', part: 1, ...entry }] as never
  const show = showWith({ state: { timeline }, result, request: { broadcasts: [{ name: 'live' }] } })
  return trueTimelines({ shows: [show], statusChanges, apiRequests })
}

const lost = (detail: string) => ({ what: 'recording.failed', detail })

describe('trueTimelines', () => {
  it('accepts what has happened', () => {
    expect(judge({ what: 'recording.started' })).toEqual([])
    expect(judge({ what: 'recording.arrived' })).toEqual([])
    expect(judge({ what: 'recording.paused' }, { statusChanges: [change(0, { status: 'failed' })] })).toEqual([])
    expect(judge(lost('failure'), { statusChanges: [change(0, { status: 'failed' })] })).toEqual([])
    expect(judge(lost('It was never started.'), { statusChanges: [] })).toEqual([])
    expect(judge(lost('It was never started.'), { statusChanges: [change(59_000)] })).toEqual([])
    expect(judge({ what: 'show.ended', detail: 'It ended.' }, { result: { reason: 'It ended.' } })).toEqual([])
  })

  it.each([
    [{ what: 'recording.started', part: 2 }, 'states recording.started of program/2 (), which was never started'],
    [
      { what: 'recording.paused', part: 2 },
      'states recording.paused of program/2 (), which was never stopped or failed',
    ],
    [lost('failure'), 'states recording.failed of program/1 (failure), which was never failed'],
    [
      { what: 'recording.started', at: new Date(-20_000).toISOString() },
      'states recording.started of program/1 (), which was never started',
    ],
    [lost('It was never started.'), 'states recording.failed of program/1, which was started: It was never started.'],
    [
      lost('The bucket holds 7 bytes of the 7 that the platform reports'),
      'states recording.failed of program/1 with other sizes: The bucket holds 7 bytes of the 7 that the platform reports',
    ],
    [{ what: 'show.ended', detail: 'All left.' }, 'ended for “All left.”, and for “It ended.” by its result'],
  ])('finds what has not: %j', (entry, problem) => {
    expect(judge(entry, { result: { reason: 'It ended.' } })).toEqual([`the show a-show ${problem}`])
  })

  it('finds entries of a result that its state has not, or less often', () => {
    const entry = { at, what: 'broadcast.live', name: 'live', part: 1 }
    const found = (timeline: readonly object[]) => judge({ what: 'recording.started' }, { result: { timeline } })
    expect(found([entry])).toEqual([
      'the show a-show has broadcast.live live 1 1 times in its result, and 0 times in its state',
    ])
    const started = { at, what: 'recording.started', name: 'program', part: 1 }
    expect(found([started])).toEqual([])
    expect(found([started, started])).toHaveLength(1)
  })

  it('finds names that were not ordered, and accepts those that callers added', () => {
    const started = [change(0, { kind: 'broadcast', tag: 'a-show/late/1' })]
    const entry = { what: 'broadcast.started', name: 'late' }
    expect(judge(entry, { statusChanges: started })).toEqual([
      'the show a-show states broadcast.started of late/1, which was not ordered',
    ])
    const added = asked(0, { path: '/shows/a-show/broadcasts', body: '{"name":"late"}' })
    expect(judge(entry, { statusChanges: started, apiRequests: [added] })).toEqual([])
  })
})
