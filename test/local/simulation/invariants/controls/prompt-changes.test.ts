import { describe, expect, it } from 'vitest'
import { promptChanges } from '../../../../../local/simulation/invariants/controls/prompt-changes.ts'
import { asked } from '../made-up-evidence.ts'

const change = (at: number, seconds: number, status = 202) =>
  asked(at, { method: 'PATCH', path: '/shows/a-show', answeredAt: at + seconds * 1000, status })

describe('promptChanges', () => {
  it('finds changes that are left for later while there is time', () => {
    expect(promptChanges({ apiRequests: [change(0, 2)] })).toEqual([
      'the change one of /shows/a-show was left for later after 2 s',
    ])
  })

  it('accepts changes that took longer, those that are done, and a repeated request', () => {
    expect(promptChanges({ apiRequests: [change(0, 13)] })).toEqual([])
    expect(promptChanges({ apiRequests: [change(0, 2, 200)] })).toEqual([])
    expect(promptChanges({ apiRequests: [change(0, 13), change(20_000, 1)] })).toEqual([])
  })
})
