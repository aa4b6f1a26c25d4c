import { describe, expect, it } from 'vitest'
import type { ShowState } from '../../../../../lib/show/state/state.ts'
import type { TimedStatusChange } from '../../../../../local/simulation/environment/watch-resources.ts'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { noEarlyEnd } from '../../../../../local/simulation/invariants/ends/no-early-end.ts'
import type { ShowEvidence } from '../../../../../local/simulation/invariants/evidence.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const ended = { endedAt: at(3_000), plannedEndAt: at(3_600), closings: 0, recordings: [] }
const archive = (status: string, seconds: number) =>
  ({ kind: 'archive', id: 'one', tag: 'a-show/program/1', status, at: seconds * 1000 }) as unknown as TimedStatusChange

interface Case {
  readonly state?: Partial<ShowState>
  readonly changes?: TimedStatusChange[]
  readonly trace?: TraceEntry[]
  readonly failedCalls?: FailedCall[]
}

const failed = (operation: string, seconds: number): FailedCall => ({
  ...{ caller: 'WatchShow', operation, kind: 'lost after', at: seconds * 1000 },
})

const openEnd = { openEnd: true, sessionId: 's' }
const presence = (name: string, seconds: number, caller = 'Ada'): TraceEntry => {
  const call = { caller, name: `platform ${name}`, status: 200, path: '/sandbox/sessions/s/participants' }
  return { at: seconds * 1000, line: '', call }
}
const joins = (seconds: number, caller?: string) => presence('joinSession', seconds, caller)
const leaves = (seconds: number, caller?: string) => presence('leaveSession', seconds, caller)
const disconnects: TraceEntry = {
  ...{ at: 20_000, line: '' },
  call: { caller: 'app', name: 'api POST /shows/a-show/disconnect', status: 200 },
}

const problemsOf = ({ state = {}, changes = [archive('started', 10)], trace = [], failedCalls = [] }: Case) =>
  noEarlyEnd({
    shows: [{ showId: 'a-show', state: { ...ended, ...state } } as unknown as ShowEvidence],
    statusChanges: changes,
    ...{ trace, failedCalls, publishers: new Set(['Ada']) },
  })

describe('noEarlyEnd', () => {
  it('finds a show that ends before its planned end while an archive runs', () => {
    expect(problemsOf({})).toEqual([
      `the show a-show ended at ${at(3_000)}, before ${at(3_600)}, while the archive a-show/program/1 ran`,
    ])
  })

  it('finds a show that does not await participants after a recording in parts has failed', () => {
    const changes = [archive('started', 10), archive('failed', 2_900)]
    const judge = (order: object, recordings: object[] = []) =>
      noEarlyEnd({
        shows: [
          {
            showId: 'a-show',
            request: { show: { recordings: [{ name: 'program', ...order }] } },
            state: { ...ended, recordings, broadcasts: [] },
          } as unknown as ShowEvidence,
        ],
        statusChanges: changes,
        ...{ trace: [], failedCalls: [], publishers: new Set() },
      })
    expect(judge({ parts: true })).toEqual([
      `the show a-show ended at ${at(3_000)}, before ${at(3_600)}, while program awaited participants`,
    ])
    expect(judge({})).toEqual([])
    expect(judge({ parts: true }, [{ name: 'program', part: 1, reason: 'session ended' }])).toEqual([])
  })

  it.each<[string, Case]>([
    ['at its planned end', { state: { endedAt: at(3_600) } }],
    ['of which nothing runs', { changes: [archive('started', 10), archive('stopped', 2_990)] }],
    ['that ends with the failure of what runs', { changes: [archive('started', 10), archive('failed', 3_000)] }],
    ['that was asked to stop', { state: { stopAskedAt: at(2_999) } }],
    ['that failed', { state: { gaveUp: true } }],
    ['whose execution was interrupted', { state: { closings: 1 } }],
    ['that ends when it is empty', { state: openEnd, trace: [joins(10), leaves(2_650)] }],
    ['that a participant leaves on request', { state: openEnd, trace: [joins(10), disconnects] }],
    ['that the platform hid', { failedCalls: [failed('platform listArchives', 2_900)] }],
    ['whose platform was restarted', { trace: [{ at: 2_900_000, line: '', fault: 'restart' }] }],
    ['beside another show', { changes: [{ ...archive('started', 10), tag: 'other/program/1' }] }],
  ])('accepts the end of a show %s', (_, one) => {
    expect(problemsOf(one)).toEqual([])
  })

  it('accepts an end at the time at which a recording ends without a stop, but none at which the show stops it', () => {
    const changes = [archive('started', 10), archive('stopped', 3_000)]
    expect(problemsOf({ changes })).toEqual([])
    const call = { caller: 'StopShow', name: 'platform stopArchive', status: 200, path: '/v2/archive/one/stop' }
    expect(problemsOf({ changes, trace: [{ at: 3_000_000, line: '', call }] })).toHaveLength(1)
  })

  it('finds a show that ends although a recording continues after a pause', () => {
    const order = { name: 'program', parts: true, pauses: [{ from: 3_200, to: 3_400 }] }
    const problems = (pauses = order.pauses) =>
      noEarlyEnd({
        shows: [
          {
            ...{ showId: 'a-show', request: { show: { recordings: [{ ...order, pauses }] } } },
            state: { ...ended, liveAt: at(0), recordings: [{ name: 'program', part: 1, archiveId: 'one' }] },
          } as unknown as ShowEvidence,
        ],
        ...{ statusChanges: [archive('started', 10), archive('stopped', 2_990)], trace: [] },
        ...{ failedCalls: [], publishers: new Set() },
      })
    expect(problems()).toEqual([expect.stringContaining('while the recording program awaited the end of a pause')])
    expect(problems([{ from: 3_301, to: 3_400 }])).toEqual([])
  })

  it('finds a show that ends during a requested pause that nothing resumes', () => {
    const judge = (pauses: object[], order: object = { parts: true }) =>
      noEarlyEnd({
        shows: [
          {
            ...{ showId: 'a-show', request: { show: { recordings: [{ name: 'program', ...order }] } } },
            state: { ...ended, liveAt: at(0), recordings: [{ name: 'program', part: 1, archiveId: 'one' }], pauses },
          } as unknown as ShowEvidence,
        ],
        ...{ statusChanges: [archive('started', 10), archive('stopped', 2_900)], trace: [] },
        ...{ failedCalls: [], publishers: new Set() },
      })
    const asked = (action: string, seconds: number) => ({ id: 'c', recording: 'program', action, at: at(seconds) })
    const paused = asked('pause', 2_900)
    expect(judge([paused])).toEqual([
      `the show a-show ended at ${at(3_000)}, before ${at(3_600)}, while the recording program awaited the end of a pause`,
    ])
    expect(judge([paused, asked('resume', 2_950)])).toEqual([])
    expect(judge([paused], {})).toEqual([])
    expect(judge([], { parts: true, pauses: [{ from: 2_900, to: 3_700 }] })).toEqual([])
  })

  it('finds a show with an open end in which no participant has published yet, or one did until recently', () => {
    const judge = (...trace: TraceEntry[]) => problemsOf({ state: openEnd, trace })
    expect(judge()).toHaveLength(1)
    expect(judge(joins(10, 'Linus'), leaves(2_650, 'Linus'))).toHaveLength(1)
    expect(judge(joins(10), leaves(2_650), joins(3_001))).toEqual([])
    expect(judge(joins(10), leaves(2_770))).toHaveLength(1)
    expect(judge(joins(10), leaves(2_650), joins(2_800), leaves(2_880))).toHaveLength(1)
    expect(judge(joins(10), leaves(2_650), joins(2_800), leaves(2_850))).toEqual([])
  })

  it('is not excused by an earlier fault', () => {
    expect(problemsOf({ failedCalls: [failed('platform listArchives', 1_000)] })).toHaveLength(1)
  })

  it('is not excused by the fault of a call that hides nothing', () => {
    expect(problemsOf({ failedCalls: [failed('s3 PutObject shows/…/state.json', 2_900)] })).toHaveLength(1)
  })
})
