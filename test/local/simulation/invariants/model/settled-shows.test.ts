import { describe, expect, it } from 'vitest'
import { settledShows } from '../../../../../local/simulation/invariants/model/settled-shows.ts'
import { faultAt, showWith } from './made-up-evidence.ts'

const HOUR = 3_600_000
const listed = new Map([['index/unfinished/a-show', { text: '', size: 0, sha256: '' }]])
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
})
