import { beforeAll, describe, expect, it } from 'vitest'
import { type Row, toRow } from '../../../bench/bench.ts'
import { createOrchestrationBench } from '../../../bench/orchestration/orchestration.ts'
import { synthesizeTemplate } from '../../../bin/local/assembly.ts'

describe('createOrchestrationBench', () => {
  let rows: Row[]
  const steps: string[] = []
  beforeAll(async () => {
    const bench = createOrchestrationBench({
      synthesize: synthesizeTemplate,
      show: { duration: 900, recordings: 2, broadcasts: 1 },
    })
    const measurements = await bench.run((words) => steps.push(words), new AbortController().signal)
    rows = measurements.map((measurement) => toRow('orchestration', measurement))
  })

  const rowOf = (work: RegExp) => rows.find((row) => work.test(row.work))

  it('returns every figure with its baseline', () => {
    expect(rows.length).toBeGreaterThan(7)
    for (const { value, baseline } of rows) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(baseline).toBeGreaterThanOrEqual(0)
    }
    expect(steps).toContain('running it by poll loops')
  })

  it('judges by the goals of the workflow, which a short show keeps to', () => {
    expect(rowOf(/^state transitions, to poll loops/)).toMatchObject({ goal: 2_500, met: true })
    expect(rowOf(/^invocations, to poll loops/)).toMatchObject({ goal: 1_300, met: true })
    expect(rowOf(/^events to watch one thing/)).toMatchObject({ goal: 5_000, met: true })
    expect(rowOf(/^executions that failed/)).toMatchObject({ value: 0, baseline: 0, met: true })
    expect(rowOf(/^state transitions with 10 recordings/)).toMatchObject({ goal: 1.15 })
  })

  it('needs fewer invocations than a loop for each resource, and costs less', () => {
    expect(rowOf(/^invocations, to poll loops/)?.baseline).toBe(3 * (900 / 5))
    expect(rowOf(/^invocations, to poll loops/)?.ratio).toBeLessThan(0.5)
    expect(rowOf(/^price/)?.ratio).toBeLessThan(1)
  })

  it('does nothing more once it is interrupted', async () => {
    const bench = createOrchestrationBench({
      synthesize: synthesizeTemplate,
      show: { duration: 900, recordings: 2, broadcasts: 1 },
    })
    await expect(bench.run(() => {}, AbortSignal.abort(new Error('Interrupted.')))).rejects.toThrow()
  })
})
