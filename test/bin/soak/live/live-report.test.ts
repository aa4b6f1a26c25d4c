import { describe, expect, it } from 'vitest'
import { type Delays, driftOf, onsets, skewOf, spreadOf } from '../../../../bin/soak/live/archive-sync.ts'
import { describeLiveReport, type LiveSoakReport, liveSoakProblems } from '../../../../bin/soak/live/live-report.ts'

/** Delays of fifteen flashes and beeps; those of the beeps change evenly. */
function delays(flash: number, beep: number, change = 0): Delays {
  const found = (delay: number, by: number) =>
    Array.from({ length: 15 }, (_, index) => ({ captured: index * 2_000, delay: delay + (by * index) / 14 }))
  return { flashes: found(flash, 0), beeps: found(beep, change) }
}

const good: LiveSoakReport = {
  ...{ seconds: 30, answering: 0.1, recordedSeconds: 30, processesLeft: 0 },
  memory: Array(40).fill(100e6),
  participants: [delays(400, 420), delays(430, 425)],
}

describe('archive-sync', () => {
  it('measures how far audio is behind the picture, how that changes, and how far participants are apart', () => {
    expect(skewOf(delays(400, 420))).toBe(20)
    expect(driftOf(delays(400, 420))).toBe(0)
    expect(driftOf(delays(400, 420, 70))).toBeCloseTo(60, 5)
    expect(spreadOf(good.participants)).toBe(30)
  })

  it('finds where values begin to be high', () => {
    expect(onsets([200, 0, 200, 200, 0, 200], 100, 2)).toEqual([1, 2.5])
  })
})

describe('liveSoakProblems', () => {
  it('finds nothing in a good recording', () => {
    expect(liveSoakProblems(good)).toEqual([])
    expect(describeLiveReport(good)).toContain('No problems.')
  })

  it.each<[string, Partial<LiveSoakReport>]>([
    ['Participant 2: picture and audio are 50 ms apart.', { participants: [delays(400, 400), delays(400, 450)] }],
    ['Participant 1: picture and audio have drifted by 60 ms.', { participants: [delays(400, 370, 70)] }],
    ['The participants are 110 ms apart.', { participants: [delays(400, 400), delays(510, 510)] }],
    ['Participant 1: 0 of 12 beeps are found.', { participants: [{ ...delays(400, 400), beeps: [] }] }],
    ['The archive has 28 s of 30.0 s.', { recordedSeconds: 28 }],
    [
      'Memory has grown from 100.0 MB to 200.0 MB.',
      { memory: [...Array<number>(20).fill(100e6), ...Array<number>(20).fill(200e6)] },
    ],
    ['2 processes are still running.', { processesLeft: 2 }],
  ])('reports: %s', (problem, change) => {
    expect(liveSoakProblems({ ...good, ...change })).toContain(problem)
  })
})
