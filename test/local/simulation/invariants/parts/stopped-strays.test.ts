import { describe, expect, it } from 'vitest'
import { stoppedStrays } from '../../../../../local/simulation/invariants/parts/stopped-strays.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
/** Judges an archive whose start arrived late, by the seconds for which it recorded. */
const judge = (seconds: number, failedCalls = [] as ReturnType<typeof watchFaultAt>[], endedAt = 3_600) =>
  stoppedStrays({
    shows: [
      showWith({
        state: { liveAt: at(0), endedAt: at(endedAt) },
        result: { strays: [{ archiveId: 'one', tag: 'a-show/program/1' }] },
      }),
    ],
    ...{
      statusChanges: [change(100_000), change(100_000 + seconds * 1000, { status: 'stopped' })],
      trace: [],
      failedCalls,
    },
  })

describe('stoppedStrays', () => {
  it('finds an archive that records on although its start arrived late', () => {
    expect(judge(300)).toEqual(['the archive a-show/program/1, which started late, recorded on for 300 s'])
  })

  it('accepts one that the next poll stops, or the end of the show, and excuses a fault of the watching', () => {
    expect(judge(60)).toEqual([])
    expect(judge(300, [], 150)).toEqual([])
    expect(judge(300, [watchFaultAt(110_000)])).toEqual([])
    expect(judge(3_000, [watchFaultAt(110_000)])).toHaveLength(1)
  })
})
