import { describe, expect, it } from 'vitest'
import { planCuts } from '../../../../lib/media/joining/plan-cuts.ts'

const part = (end: number, shift: number, starts: number[] | undefined = [0, 6, 12, 18]) => ({ end, shift, starts })

describe('planCuts', () => {
  it('enters each part at its first segment that begins after it has settled', () => {
    expect(planCuts([part(100, 0), part(100, 88), part(50, 90, [0, 1, 4, 8])])).toEqual([
      { offset: 0, until: 94 },
      { offset: 88, from: 6, until: 94 },
      { offset: 178, from: 4 },
    ])
  })

  it('enters a part at its beginning where the overlap is too short', () => {
    expect(planCuts([part(100, 0), part(100, 97)])).toEqual([
      { offset: 0, until: 97 },
      { offset: 97, from: 0 },
    ])
  })

  it('lets parts follow one another whole that do not overlap', () => {
    expect(planCuts([part(100, 0), part(100, 103)])).toEqual([{ offset: 0 }, { offset: 100 }])
  })

  it('enters audio alone anywhere', () => {
    expect(planCuts([part(100, 0, []), { ...part(100, 88), starts: undefined }])).toEqual([
      { offset: 0, until: 90 },
      { offset: 88, from: 2 },
    ])
  })

  it('never leaves a part before it was entered', () => {
    expect(planCuts([part(100, 0), part(20, 88), part(100, 2, [0, 3, 6])])).toEqual([
      { offset: 0, until: 94 },
      { offset: 88, from: 6, until: 8 },
      { offset: 90, from: 6 },
    ])
  })
})
