import { expect, it } from 'vitest'
import { toRow } from '../../../bench/bench.ts'
import { createLiveHlsBench } from '../../../bench/live-hls/live-hls.ts'

it('measures the latency on a page, packaging beside ffmpeg, and a reload', async () => {
  const measurements = await createLiveHlsBench({ watched: 4, packaged: 4 }).run(() => {}, new AbortController().signal)
  const rows = measurements.map((measurement) => toRow('live-hls', measurement))
  expect(rows.map(({ unit }) => unit)).toEqual(['ms', 'ms', 's', 'CPU s', 'bytes'])
  for (const { value } of rows) expect(value).toBeGreaterThan(0)
  expect(rows.at(-1)).toMatchObject({ met: true })
})
