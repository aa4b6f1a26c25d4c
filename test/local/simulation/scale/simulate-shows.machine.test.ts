import { describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import { simulateShows } from '../../../../local/simulation/scale/simulate-shows.ts'

describe('simulateShows', () => {
  it('settles every show in one world under faults, and replays exactly', async () => {
    const options = { assembly: await synthesizeTemplate(), seed: 1, shows: 4, hours: 1, faultRate: 0.002 }
    const { seconds: _, peak, ...report } = await simulateShows(options)
    expect(report.broken).toEqual([])
    expect(Object.values(report.statuses).reduce((sum, shows) => sum + shows, 0)).toBe(4)
    expect(report.showHours).toBeGreaterThan(0.5)
    expect(peak.shows).toBeGreaterThan(1)
    expect(report.platformCalls).toBeGreaterThan(100)
    expect(report.s3.reads).toBeGreaterThan(report.s3.writes)
    expect(report.largestHistory).toBeLessThan(5_000)

    const again = await simulateShows(options)
    expect(again.traceSha256).toBe(report.traceSha256)
  })
})
