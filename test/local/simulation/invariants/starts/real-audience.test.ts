import { describe, expect, it } from 'vitest'
import { realAudience } from '../../../../../local/simulation/invariants/starts/real-audience.ts'
import { showWith } from '../made-up-evidence.ts'

const joins = (at: number) => ({
  ...{ at, line: '' },
  call: { caller: 'Ada', name: 'platform joinSession', status: 200, path: '/sessions/s/participants' },
})
const judge = (
  joinsAt: number,
  { scenes = [{ name: 'stage' }], dialIns = [] as object[], publishers = ['Ada'] } = {},
) =>
  realAudience({
    shows: [
      showWith({
        state: {
          ...{ sessionId: 's', scenes, dialIns },
          timeline: [{ what: 'audience.present', at: new Date(60_000).toISOString() }],
        } as never,
      }),
    ],
    trace: [joins(joinsAt)],
    publishers: new Set(publishers),
  })

describe('realAudience', () => {
  it('finds a show that begins for its own scene', () => {
    expect(judge(90_000)).toEqual([
      'the show a-show had an audience at 1970-01-01T00:01:00.000Z, and no participant had published',
    ])
    expect(judge(30_000, { publishers: [] })).toHaveLength(1)
    expect(judge(30_000)).toEqual([])
  })

  it('does not judge a show that brings nothing, or a call whose answer was lost', () => {
    expect(judge(90_000, { scenes: [] })).toEqual([])
    expect(judge(90_000, { scenes: [], dialIns: [{ name: 'added', order: {} }] })).toEqual([])
    expect(judge(90_000, { scenes: [], dialIns: [{ name: 'ordered' }] })).toHaveLength(1)
    expect(judge(90_000, { dialIns: [{ name: 'phone', askedAt: new Date(0).toISOString() }] })).toEqual([])
  })
})
