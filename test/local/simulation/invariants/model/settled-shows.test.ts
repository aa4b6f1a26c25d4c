import { describe, expect, it } from 'vitest'
import { settledShows } from '../../../../../local/simulation/invariants/model/settled-shows.ts'
import { faultAt, showWith } from '../made-up-evidence.ts'

const HOUR = 3_600_000
const listed = new Map([['index/unfinished/a-show', { text: '', size: 0, sha256: '' }]])
const sweeps = (name: string, status: number) => ({
  ...{ at: 30 * 60_000, line: '', call: { caller: 'SweepShows', name, status } },
})
const listsUsage = sweeps('s3 PutObject index/usage/a-show', 200)
const settles = sweeps('s3 DeleteObject index/unfinished/a-show', 204)
const evidence = { shows: [showWith()], objects: listed, executions: [], trace: [], now: HOUR }

describe('settledShows', () => {
  it('finds a show that is over and that the list of the sweep still names', () => {
    expect(settledShows(evidence)).toEqual(['the show a-show is over, and still in the list of the sweep'])
    expect(settledShows({ ...evidence, objects: new Map() })).toEqual([])
  })

  it('waits until no task can be at work, and for the sweep after a fault', () => {
    expect(settledShows({ ...evidence, now: HOUR / 4 })).toEqual([])
    expect(settledShows({ ...evidence, trace: [faultAt(HOUR - 60_000)] })).toEqual([])
    expect(settledShows({ ...evidence, shows: [{ ...showWith(), result: undefined }] })).toEqual([])
  })

  it('finds a show that is settled while a task of its last execution may be at work', () => {
    const end = (minutes: number) => ({
      ...{ machine: 'show', name: 'a-show', startDate: new Date(0), stopDate: new Date(minutes * 60_000) },
    })
    const judge = (...executions: object[]) =>
      settledShows({ ...evidence, objects: new Map(), trace: [listsUsage, settles], executions: executions as never })
    expect(judge(end(20))).toEqual(['the show a-show was settled 600 s after its last execution'])
    expect(judge(end(14))).toEqual([])
    expect(judge(end(14), { ...end(20), name: 'a-show-close-1' })).toHaveLength(1)
    expect(judge(end(14), { ...end(20), name: 'a-show-20300310t0407' })).toEqual([])
  })

  it('finds a show that leaves the list of the sweep before it is in that of usage', () => {
    const judge = (...trace: (typeof settles)[]) => settledShows({ ...evidence, objects: new Map(), trace })
    const late = ['the show a-show left the list of the sweep before it was in that of usage']
    expect(judge(listsUsage, settles)).toEqual([])
    expect(judge(settles, listsUsage)).toEqual(late)
    expect(judge(sweeps('s3 PutObject index/usage/a-show', 500), settles)).toEqual(late)
    expect(judge(sweeps('s3 PutObject index/usage/b-show', 200), settles)).toEqual(late)
  })
})
