import { describe, expect, it } from 'vitest'
import { describeLiveReport } from '../../../../bin/soak/live/live-report.ts'
import { soakLive } from '../../../../bin/soak/live/live-soak.ts'
import { attempt } from '../../../support/browsers/attempt.ts'
import { findTool } from '../../../support/tools.ts'

describe('soakLive', () => {
  it('finds the flashes and beeps of two browsers, and leaves no process', async () => {
    await findTool('chromium', 'chromium')
    const { signal } = new AbortController()
    await attempt(async () => {
      const report = await soakLive({ minutes: 0.15, signal, onStep: () => {} })
      expect(report.participants).toHaveLength(2)
      for (const { flashes, beeps } of report.participants)
        expect(Math.min(flashes.length, beeps.length)).toBeGreaterThanOrEqual(3)
      expect(report.processesLeft).toBe(0)
      expect(describeLiveReport(report)).toContain('processes left  0')
    })
  })
})
