import { describe, expect, it } from 'vitest'
import { promptCues } from '../../../../../local/simulation/invariants/controls/prompt-cues.ts'
import { faultAt, showWith, watchFaultAt } from '../made-up-evidence.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const moved = { at: 590_000, line: '', call: { caller: 'app', name: 'api PATCH /shows/a-show', status: 200 } }

/** Judges a show that was live from 100 s, with a cue 500 s later: it is due at 600 s. */
const judge = (
  seconds: number,
  { entry = {}, failedCalls = [watchFaultAt(0)], trace = [faultAt(0)], state = {} } = {},
) =>
  promptCues({
    shows: [
      showWith({
        request: { cues: [{ at: 500 }] },
        state: {
          liveAt: at(100),
          timeline: [{ what: 'cue.signal', id: 'cue-1', at: at(seconds), ...entry }],
          ...state,
        } as never,
      }),
    ],
    ...{ statusChanges: [], trace, failedCalls },
  })

describe('promptCues', () => {
  it('accepts a cue that is carried out within a poll of its time', () => {
    expect(judge(600)).toEqual([])
    expect(judge(612)).toEqual([])
  })

  it('finds a signal or a layout that is late', () => {
    const problem = ['the cue 1 of the show a-show was carried out 13 s late']
    expect(judge(613)).toEqual(problem)
    expect(judge(613, { entry: { what: 'cue.layout' } })).toEqual(problem)
  })

  it('accepts a late cue of a show whose parts a fault has kept from starting', () => {
    expect(judge(613, { failedCalls: [watchFaultAt(0, 'StartBroadcast')] })).toEqual([])
  })

  it('finds a signal that is given up within five minutes, unless it is refused', () => {
    const givenUp = (seconds: number, { kind = '500', cue = { signal: {} } as object, status = 500 } = {}) =>
      promptCues({
        shows: [
          showWith({
            request: { cues: [{ at: 500, ...cue }] },
            state: { liveAt: at(100), timeline: [{ what: 'cue.failed', id: 'cue-1', at: at(seconds) }] } as never,
          }),
        ],
        trace: [{ at: 600_000, line: '', call: { caller: 'WatchShow', name: 'platform signalSession', status } }],
        failedCalls: [{ ...watchFaultAt(600_000), operation: 'platform signalSession', kind: kind as '500' }],
        statusChanges: [],
      })
    const problem = ['the cue 1 of the show a-show was given up after 5 s']
    expect([givenUp(605), givenUp(605, { kind: '429', status: 429 })]).toEqual([problem, problem])
    expect([givenUp(605, { kind: '400' }), givenUp(605, { status: 404 })]).toEqual([[], []])
    expect([givenUp(900), givenUp(605, { cue: { layout: {} } })]).toEqual([[], []])
  })

  it('judges each cue by its own entry', () => {
    const judgeSecond = (seconds: number) => {
      const timeline = [600, seconds].map((time, index) => ({
        what: 'cue.signal',
        id: `cue-${index + 1}`,
        at: at(time),
      }))
      return promptCues({
        shows: [
          showWith({
            request: { cues: [{ at: 500 }, { at: 600 }] },
            state: { liveAt: at(100), timeline } as never,
          }),
        ],
        ...{ statusChanges: [], trace: [], failedCalls: [] },
      })
    }
    expect(judgeSecond(700)).toEqual([])
    expect(judgeSecond(720)).toEqual(['the cue 2 of the show a-show was carried out 20 s late'])
  })

  it('accepts a late cue after a fault or a request of the five minutes before it', () => {
    expect(judge(613, { failedCalls: [watchFaultAt(300_000)] })).toEqual([])
    expect(judge(613, { failedCalls: [watchFaultAt(299_999)] })).toHaveLength(1)
    expect(judge(613, { failedCalls: [watchFaultAt(613_001)] })).toHaveLength(1)
    expect(judge(613, { trace: [faultAt(605_000, 'restart')] })).toEqual([])
    expect(judge(613, { trace: [moved] })).toEqual([])
  })

  it('judges only signals and layouts of shows that were live', () => {
    expect(judge(613, { entry: { what: 'cue.failed' } })).toEqual([])
    expect(judge(613, { state: { timeline: [] } })).toEqual([])
    expect(judge(613, { state: { liveAt: undefined } })).toEqual([])
  })
})
