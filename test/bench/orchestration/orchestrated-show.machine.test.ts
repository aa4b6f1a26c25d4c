import { describe, expect, it } from 'vitest'
import { runOrchestrated } from '../../../bench/orchestration/orchestrated-show.ts'
import { synthesizeTemplate } from '../../../bin/local/assembly.ts'

describe('runOrchestrated', () => {
  it('watches ten recordings for ten hours as cheaply as two, and keeps within its bounds', async () => {
    const assembly = await synthesizeTemplate()
    const run = (recordings: number) => runOrchestrated(assembly, { duration: 36_000, recordings, broadcasts: 1 })
    const few = await run(2)
    expect(few.transitions).toBeLessThanOrEqual(2_500)
    expect(few.invocations).toBeLessThanOrEqual(1_300)
    const many = await run(10)
    expect(many.transitions).toBeLessThanOrEqual(few.transitions * 1.15)
    expect(many.invocations).toBeLessThanOrEqual(few.invocations * 1.15)
    for (const { longest, failed } of [few, many]) {
      expect(longest).toBeLessThanOrEqual(5_000)
      expect(failed).toBe(0)
    }
  })
})
