import { describe, expect, it } from 'vitest'
import { straysOf } from '../../../../local/simulation/invariants/strays.ts'
import { change, faultAt, showWith } from './made-up-evidence.ts'

const reported = (status: string) => showWith({ result: { strays: [{ archiveId: 'other', status }] } })
const delayed = { caller: 'StartRecording', operation: 'platform startArchive', kind: 'delayed', at: 0 } as const
const ended = { caller: 'cloud', operation: 'lambda StartRecording', kind: 'out of memory', at: 0 } as const
const judge = (more: Partial<Parameters<typeof straysOf>[0]>) => [
  ...straysOf({ statusChanges: [change(0)], shows: [reported('uploaded')], failedCalls: [], trace: [], ...more }),
]

describe('straysOf', () => {
  it('returns what results name, and what began after them, once a start was delayed', () => {
    expect(judge({})).toEqual([])
    expect(judge({ failedCalls: [delayed] })).toEqual(['other'])
    expect(judge({ failedCalls: [delayed], statusChanges: [change(1)] })).toEqual(['other', 'one'])
  })

  it('returns failed archives that a list which lags did not show to the function that repeats a start', () => {
    const unlisted = { failedCalls: [ended], trace: [faultAt(0, 'lagging lists')] }
    expect(judge({ ...unlisted, shows: [reported('failed')] })).toEqual(['other'])
    expect(judge({ ...unlisted, shows: [reported('uploaded')], statusChanges: [change(1)] })).toEqual([])
    expect(judge({ ...unlisted, shows: [reported('failed')], trace: [] })).toEqual([])
  })
})
