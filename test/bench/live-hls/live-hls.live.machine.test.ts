import { expect, it } from 'vitest'
import { toRow } from '../../../bench/bench.ts'
import { createLiveHlsBench } from '../../../bench/live-hls/live-hls.ts'
import { livePlayers } from '../../../bench/live-hls/page-players.ts'

it('measures the latency on a page, packaging beside ffmpeg, a reload, and clips', async () => {
  const amounts = { watched: 3, packaged: 4, clipped: 4 }
  const measurements = await createLiveHlsBench(amounts).run(() => {}, new AbortController().signal)
  const players = livePlayers.flatMap(() => ['ms', 'ms', 's'])
  const rows = measurements.map((measurement) => toRow('live-hls', measurement))
  expect(rows.map(({ unit }) => unit)).toEqual([...players, 'ms', 'ms', 'CPU s', 'bytes', 'ms', 'ms'])
  for (const { value } of rows) expect(value).toBeGreaterThan(0)
  expect(rows.find(({ unit }) => unit === 'bytes')).toMatchObject({ met: true })
})
