import { expect, it } from 'vitest'
import { toRow } from '../../../bench/bench.ts'
import { createConsoleBench } from '../../../bench/console/console.ts'

it('measures the first paint, the memory and the processor time of the console beside a live show', async () => {
  const bench = createConsoleBench({ openings: 1, watched: 600 }).lasting?.(2)
  const measurements = (await bench?.run(() => {}, new AbortController().signal)) ?? []
  const rows = measurements.map((measurement) => toRow('console', measurement))
  expect(rows.map(({ unit }) => unit)).toEqual(['s', 's', 's', 'cores', 'cores', 'MB', 'nodes', 'MB'])
  for (const { value } of rows) expect(value).toBeGreaterThan(0)
})
