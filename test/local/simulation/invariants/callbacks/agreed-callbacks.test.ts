import { describe, expect, it } from 'vitest'
import { agreedCallbacks } from '../../../../../local/simulation/invariants/callbacks/agreed-callbacks.ts'

const callback = { at: 0, url: 'u', headers: {}, body: '{"id":"1","event":"show.ended"}' }
const verified = (outcome: string, expects: string) => ({
  verifiedEvents: [{ callback, variant: 'with another body', outcome, expects }],
})

describe('agreedCallbacks', () => {
  it('accepts the documented outcome', () => {
    expect(agreedCallbacks(verified('wrong-body', 'wrong-body'))).toEqual([])
  })

  it('finds a forged callback that is accepted, and another reason', () => {
    expect(agreedCallbacks(verified('accepted 1', 'wrong-body'))).toEqual([
      'the package answers accepted 1 instead of wrong-body for the callback show.ended with another body',
    ])
    expect(agreedCallbacks(verified('expired', 'wrong-body'))).toHaveLength(1)
  })
})
