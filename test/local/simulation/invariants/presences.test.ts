import { describe, expect, it } from 'vitest'
import { presencesIn } from '../../../../local/simulation/invariants/presences.ts'

const call = (name: string, at: number, sessionId: string) => ({
  ...{ at, line: '' },
  call: { caller: 'Ada', name: `platform ${name}`, status: 200, path: `/sandbox/sessions/${sessionId}/participants` },
})

describe('presencesIn', () => {
  it('returns the times of participants in one of several sessions', () => {
    const trace = [call('joinSession', 1, 'one'), call('joinSession', 2, 'two'), call('leaveSession', 3, 'two')]
    expect(presencesIn(trace, 'one')).toEqual([{ name: 'Ada', from: 1, to: Number.POSITIVE_INFINITY }])
    expect(presencesIn(trace, 'two')).toEqual([{ name: 'Ada', from: 2, to: 3 }])
  })
})
