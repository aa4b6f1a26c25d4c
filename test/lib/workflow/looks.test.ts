import { describe, expect, it } from 'vitest'
import { secondsUntilNextLook } from '../../../lib/workflow/looks.ts'

describe('secondsUntilNextLook', () => {
  it('is a share of the time waited, in whole seconds, and at least two', () => {
    expect([0, 30, 79.9, 100, 610, 86_400].map((waited) => secondsUntilNextLook(waited, 1 / 40))).toEqual([
      2, 2, 2, 2, 15, 2160,
    ])
  })
})
