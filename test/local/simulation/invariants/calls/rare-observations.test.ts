import { describe, expect, it } from 'vitest'
import { rareObservations } from '../../../../../local/simulation/invariants/calls/rare-observations.ts'
import { showWith } from '../made-up-evidence.ts'

describe('rareObservations', () => {
  const judge = (writes: number, apart: number, status = 200) =>
    rareObservations({
      shows: [showWith({})],
      trace: Array.from({ length: writes }, (_, index) => ({
        ...{ at: index * apart, line: '' },
        call: { caller: 'WatchShow', name: 's3 PutObject observation.json', status },
      })),
    })

  it('finds an observation with each poll', () => {
    expect(judge(60, 1_000)).toEqual(['42 observations were written in the minute after 1970-01-01T00:00:00.000Z'])
  })

  it('accepts two in three seconds, and writes that were refused', () => {
    expect(judge(200, 1_500)).toEqual([])
    expect(judge(60, 1_000, 412)).toEqual([])
  })
})
