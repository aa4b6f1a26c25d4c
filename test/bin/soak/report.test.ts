import { describe, expect, it } from 'vitest'
import { describeReport, memoryGrowth, type SoakReport, soakProblems } from '../../../bin/soak/report.ts'

const clock = { samples: 120, unread: 0, dropped: [], repeated: [] }
const good: SoakReport = {
  seconds: 60.2,
  answering: 0.1,
  recordedSeconds: 60,
  actions: 40,
  processesLeft: 0,
  clock,
  memory: Array.from({ length: 40 }, (_, index) => (index < 8 ? 1e8 : 2e8)),
}

describe('problemsOf', () => {
  it('returns none for a good report', () => {
    expect(soakProblems(good)).toEqual([])
    expect(describeReport(good)).toContain('No problems.')
  })

  it('allows for a slow machine that recorded while it answered', () => {
    expect(soakProblems({ ...good, answering: 5, recordedSeconds: 65 })).toEqual([])
  })

  it.each<[string, Partial<SoakReport>]>([
    ['Time is missing in the archive at 3 s, 7.5 s.', { clock: { ...clock, dropped: [3, 7.5] } }],
    ['Time is repeated in the archive at 3 s.', { clock: { ...clock, repeated: [3] } }],
    ['The clock cannot be read in 3 of 120 samples.', { clock: { ...clock, unread: 3 } }],
    ['The archive has no pictures.', { clock: { ...clock, samples: 0 } }],
    ['The archive has 59 s of 60.2 s.', { recordedSeconds: 59 }],
    ['The archive has 61 s of 60.2 s.', { recordedSeconds: 61 }],
    [
      'Memory has grown from 200.0 MB to 240.0 MB.',
      { memory: good.memory.map((bytes, index) => (index < 30 ? bytes : 2.4e8)) },
    ],
    ['1 processes are still running.', { processesLeft: 1 }],
  ])('reports %s', (problem, wrong) => {
    expect(soakProblems({ ...good, ...wrong })).toEqual([problem])
    expect(describeReport({ ...good, ...wrong })).toContain(problem)
  })
})

describe('growthOf', () => {
  it('returns nothing for a few figures', () => {
    expect(memoryGrowth([1e8, 2e8])).toBeUndefined()
  })
})
