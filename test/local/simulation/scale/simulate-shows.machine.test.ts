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

  it('loses no show on a platform that throttles', async () => {
    const options = {
      assembly: await synthesizeTemplate(),
      seed: 2,
      shows: 6,
      hours: 1,
      faultRate: 0,
      callsPerSecond: 2,
    }
    const { broken, statuses, faults } = await simulateShows(options)
    expect(broken).toEqual([])
    expect(faults['429']).toBeGreaterThan(10)
    expect(statuses).toEqual({ succeeded: 6 })
  })
})
