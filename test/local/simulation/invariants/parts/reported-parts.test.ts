import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { reportedParts } from '../../../../../local/simulation/invariants/parts/reported-parts.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change, faultAt, showWith, watchFaultAt } from '../made-up-evidence.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()

interface Judged {
  readonly state?: object
  readonly result?: object
  readonly request?: object
  readonly failedCalls?: FailedCall[]
  readonly statusChanges?: ReturnType<typeof change>[]
  readonly trace?: TraceEntry[]
}

const judge = ({ state = {}, result = {}, request = {}, failedCalls = [], statusChanges = [], trace = [] }: Judged) =>
  reportedParts({
    ...{ failedCalls, statusChanges, trace },
    shows: [showWith({ request: { broadcasts: [], ...request }, state: { timeline: [], ...state } as never, result })],
  })

describe('reportedParts', () => {
  it('finds a result that does not wait for an upload', () => {
    const reported = (seconds: number, failedCalls: FailedCall[] = []) =>
      judge({
        request: { uploadWait: 600 },
        state: { endedAt: at(0) },
        result: {
          ...{ status: 'failed', reportedAt: at(seconds), endedAt: at(0) },
          recordings: [{ name: 'program', part: 1, archiveId: 'one', status: 'stopped', lost: 'It had not arrived.' }],
        },
        failedCalls,
      })
    expect(reported(30)).toEqual(['the show a-show was reported after 30 s, although program was stopped'])
    expect(reported(600)).toEqual([])
    expect(reported(30, [watchFaultAt(0, 'CheckUploads')])).toEqual([])
  })

  it('finds a result without a file that the platform keeps, and that was not fetched four times', () => {
    const kept = (rescueTries?: number, closings = 0) =>
      judge({
        request: { uploadWait: 600 },
        state: { endedAt: at(0), closings },
        result: {
          ...{ status: 'failed', reportedAt: at(700), endedAt: at(0) },
          recordings: [
            {
              ...{ name: 'program', part: 1, archiveId: 'one', status: 'available', lost: 'Its upload failed.' },
              rescueTries,
            },
          ],
        },
      })
    expect(kept()).toEqual(['the show a-show was reported although program was never fetched from the platform'])
    expect(kept(3)).toEqual(['the show a-show was reported after 3 attempts to fetch program from the platform'])
    expect(kept(4)).toEqual([])
    expect(kept(3, 1)).toEqual([])
  })

  it('finds an overlap that a result does not name', () => {
    const parts = (overlap?: number) => ({
      recordings: [
        { name: 'program', part: 1, archiveId: 'one', stoppedAt: at(612) },
        { name: 'program', part: 2, createdAt: at(600), ...(overlap && { overlap }) },
      ],
    })
    expect(judge({ result: parts(12) })).toEqual([])
    expect(judge({ result: parts() })).toEqual([
      'the show a-show names an overlap of 0 s for part 2 of program, which is 12 s',
    ])
  })

  it('finds a broadcast that runs by the result, and had ended before', () => {
    const broadcasts = [{ name: 'live', part: 1, broadcastId: 'one', status: 'started' }]
    const result = { broadcasts, reportedAt: at(600) }
    const ended = (seconds: number) => [change(0), change(seconds * 1000, { status: 'stopped' })]
    expect(judge({ result, statusChanges: ended(300) })).toEqual([
      'the show a-show calls part 1 of live started, which has ended',
    ])
    expect(judge({ result, statusChanges: ended(900) })).toEqual([])
    const failedCalls = [watchFaultAt(500_000, 'ReportShow')]
    expect(judge({ result, statusChanges: ended(300), failedCalls })).toEqual([])
  })

  it('finds a broadcast that the result of a live show does not name', () => {
    const request = { broadcasts: [{ name: 'live' }], duration: 600 }
    const state = { liveAt: at(0), plannedEndAt: at(600) }
    expect(judge({ request, state })).toEqual(['the show a-show has no outcome of the broadcast live'])
    expect(judge({ request, state, result: { broadcasts: [{ name: 'live', problem: 'answered 400' }] } })).toEqual([])
    expect(judge({ request })).toEqual([])
  })

  describe('of the outputs of a broadcast', () => {
    const problem = ['the show a-show states nothing of the output tv of part 1 of live']
    const live = { kind: 'broadcast', tag: 'a-show/live/1', name: 'live' } as const

    /** Judges a broadcast to the output `tv` that ran for some seconds. */
    const ran = (rtmp: readonly object[], { seconds = 301, ...more }: Judged & { readonly seconds?: number } = {}) =>
      judge({
        request: { broadcasts: [{ name: 'live', rtmp: [{ id: 'tv' }] }] },
        result: { broadcasts: [{ name: 'live', part: 1, broadcastId: 'one', status: 'stopped', rtmp }] },
        statusChanges: [change(0, live), change(seconds * 1000, { ...live, status: 'stopped' })],
        ...more,
      })

    it('finds one that the result does not name', () => {
      expect(ran([{ id: 'tv', status: 'live' }])).toEqual([])
      expect(ran([{ id: 'tv', status: 'error' }])).toEqual([])
      expect(ran([])).toEqual(problem)
      expect(ran([{ id: 'other', status: 'live' }])).toEqual(problem)
      expect(ran([{ id: 'radio', status: 'live' }])).toEqual(problem)
    })

    it('judges only broadcasts that ran for five minutes without a fault', () => {
      expect(ran([], { seconds: 300 })).toEqual([])
      expect(ran([], { trace: [faultAt(0, 'interrupted outputs')] })).toEqual([])
      expect(ran([], { trace: [faultAt(0, 'restart')] })).toEqual([])
      expect(ran([], { failedCalls: [watchFaultAt(0, 'StopShow')] })).toEqual([])
      expect(ran([], { trace: [faultAt(0)] })).toEqual(problem)
    })
  })
})
