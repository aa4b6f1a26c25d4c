import { describe, expect, it } from 'vitest'
import { begunShows } from '../../../../../local/simulation/invariants/starts/begun-shows.ts'
import { showWith, watchFaultAt } from '../made-up-evidence.ts'

const MINUTE = 60_000
const judge = (minutes: number, failedCalls = [] as ReturnType<typeof watchFaultAt>[], request = {}) => {
  const show = showWith({ request })
  const accepted = { ...show.request, acceptedAt: new Date(0).toISOString() }
  return begunShows({ shows: [{ ...show, request: accepted as never, startedAt: minutes * MINUTE }], failedCalls })
}

describe('begunShows', () => {
  it('finds a show that starts long after it was accepted', () => {
    expect(judge(16)).toEqual(['the show a-show started 960 s after it was accepted'])
  })

  it('accepts a start by the sweep, a schedule, and a fault of the sweep', () => {
    expect(judge(8)).toEqual([])
    expect(judge(16, [], { start: { at: '2030-01-01T00:00:00', zone: 'Etc/UTC' } })).toEqual([])
    expect(judge(16, [watchFaultAt(5 * MINUTE, 'SweepShows')])).toEqual([])
    expect(judge(16, [watchFaultAt(5 * MINUTE, 'WatchShow')])).toHaveLength(1)
  })
})
