import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { outcomes } from '../../../../../local/simulation/invariants/model/outcomes.ts'
import { showWith, version, watchFaultAt } from '../made-up-evidence.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const STOPPED = 'It was stopped on request.'
const ending = (seconds: number) => ({ what: 'show.ending', at: at(seconds) })

interface Judged {
  readonly state?: object
  readonly result?: object
  readonly request?: object
  readonly versions?: readonly object[]
  readonly failedCalls?: FailedCall[]
}

const judge = ({ state = {}, result = {}, request = {}, versions = [], failedCalls = [] }: Judged) =>
  outcomes({
    failedCalls,
    shows: [
      showWith({ request, state: { timeline: [], ...state } as never, result: { reason: 'It ended.', ...result } }),
    ],
    versions: versions.map((one, index) =>
      version(`${index}`, 'shows/a-show/state.json', { text: JSON.stringify(one) }),
    ),
  })

describe('outcomes', () => {
  it('finds a show that succeeded although something of it is lost or has failed', () => {
    expect(
      judge({ result: { recordings: [{ name: 'program', part: 1, problem: 'It failed.', lost: 'It failed.' }] } }),
    ).toEqual(['the show a-show is succeeded, although program is lost'])
    expect(judge({ result: { broadcasts: [{ name: 'live', status: 'failed' }] } })).toHaveLength(1)
    expect(judge({ result: { status: 'failed', broadcasts: [{ name: 'live', status: 'failed' }] } })).toEqual([])
  })

  it('accepts a degraded show that was stopped before a recording had started', () => {
    const degraded = (more: object) => ({ status: 'degraded', recordings: [{ name: 'program', lost: 'No.', ...more }] })
    const stopped = { stopAskedAt: at(60) }
    expect(judge({ state: stopped, result: degraded({}) })).toEqual([])
    expect(judge({ state: stopped, result: degraded({ archiveId: 'one' }) })).toHaveLength(1)
    expect(judge({ result: degraded({}) })).toHaveLength(1)
  })

  it('finds a show that awaited its audience for long and was never waiting, unless a poll failed', () => {
    const timeline = [
      { what: 'session.opened', at: at(0) },
      { what: 'audience.present', at: at(300) },
    ]
    const ended = { endedAt: at(600) }
    const versions = (status: string) => [{ ...ended, status, timeline: [] }]
    const found = judge({ state: { timeline, ...ended }, versions: versions('starting') })
    expect(found).toEqual(['the show a-show waited 300 s for its audience, and was never waiting'])
    expect(judge({ state: { timeline, ...ended }, versions: versions('waiting') })).toEqual([])
    const failedCalls = [watchFaultAt(60_000, 'CheckAudience')]
    expect(judge({ state: { timeline, ...ended }, versions: versions('starting'), failedCalls })).toEqual([])
  })

  it('finds a show that ends as stopped without a request', () => {
    expect(judge({ result: { status: 'failed', reason: 'It was stopped before a participant connected.' } })).toEqual([
      'the show a-show is failed as stopped, although no caller asked for it',
    ])
  })

  it('finds a stopped show with another status or reason', () => {
    const state = { stopAskedAt: at(60) }
    expect(judge({ state, result: { status: 'stopped', reason: STOPPED } })).toEqual([])
    expect(judge({ state })).toEqual(['the show a-show is succeeded, although it was asked to stop'])
    expect(judge({ state, result: { status: 'stopped' } })).toEqual([
      'the show a-show is stopped for another reason: It ended.',
    ])
    expect(judge({ result: { status: 'stopped', reason: STOPPED } })).toHaveLength(1)
  })

  it('finds a show that says wrongly why nothing ran any more', () => {
    const judgeEnd = (endReason: string, ...reasons: string[]) =>
      judge({ state: { endReason }, result: { recordings: reasons.map((reason) => ({ name: 'program', reason })) } })
    const [left, ended] = ['All participants left before the planned end.', 'Everything had ended.']
    expect(judgeEnd(left, 'session ended', 'failure')).toEqual([])
    expect(judgeEnd(ended, 'session ended', 'maximum duration exceeded')).toEqual([])
    expect(judgeEnd(ended, 'session ended', 'failure')).toHaveLength(1)
    expect(judgeEnd(left, 'maximum duration exceeded')).toHaveLength(1)
    expect(judgeEnd('The planned end was reached.', 'user initiated')).toEqual([])
  })

  it('finds an end that has moved', () => {
    expect(judge({ state: { endedAt: at(600), timeline: [ending(600)] } })).toEqual([])
    expect(judge({ state: { endedAt: at(660), timeline: [ending(600)] } })).toHaveLength(1)
    expect(judge({ state: { endedAt: at(600), timeline: [ending(660)] } })).toEqual([])
    expect(judge({ state: { endedAt: at(600) }, result: { endedAt: at(660) } })).toHaveLength(1)
  })

  it('finds a planned end that was not ordered', () => {
    const request = { duration: 600 }
    const moved = { what: 'control.duration', at: at(30), detail: `The show ends at ${at(900)}.` }
    const planned = (plannedEndAt: string, timeline: readonly object[] = []) =>
      judge({ request, state: { liveAt: at(0), plannedEndAt, timeline } })
    expect(planned(at(600))).toEqual([])
    expect(planned(at(0.6))).toHaveLength(1)
    expect(planned(at(900), [moved])).toEqual([])
    expect(planned(at(600), [moved])).toHaveLength(1)
  })

  it('finds a show that continues by its state while it ends', () => {
    expect(judge({ versions: [{ status: 'ending', timeline: [ending(0)] }] })).toEqual([])
    expect(judge({ versions: [{ status: 'live', timeline: [] }] })).toEqual([])
    expect(judge({ versions: [{ status: 'live', timeline: [ending(0)] }] })).toHaveLength(1)
  })

  it('finds that the platform refuses a session of the show as relayed, and not one that a caller names', () => {
    const recordings = [{ name: 'program', part: 1, problem: 'The session is relayed.' }]
    expect(judge({ request: { session: {} }, result: { recordings } })).toEqual([
      'the show a-show opened a session of another kind: The session is relayed.',
    ])
    expect(judge({ request: { session: { id: 'theirs' } }, result: { recordings } })).toEqual([])
  })

  it('finds recordings that nothing has tried to start, unless the show was stopped or interrupted before', () => {
    const result = { recordings: [{ name: 'program', part: 1, lost: 'It was never started.' }], status: 'failed' }
    const state = { closings: 0 }
    expect(judge({ state, result })).toEqual(['the show a-show did not try to start program: It ended.'])
    for (const more of [{ gaveUp: true }, { closings: 1 }, { stopAskedAt: at(60) }])
      expect(judge({ state: { ...state, ...more }, result })).toEqual([])
    const refused = [{ name: 'program', part: 1, problem: 'answered 400', lost: 'answered 400' }]
    expect(judge({ state, result: { ...result, recordings: refused } })).toEqual([])
  })
})
