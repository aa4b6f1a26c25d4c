import { expect, it } from 'vitest'
import { toRow } from '../../../bench/bench.ts'
import { createLiveHlsBench } from '../../../bench/live-hls/live-hls.ts'
import { livePlayers } from '../../../bench/live-hls/page-players.ts'

it('measures the latency on a page, packaging beside ffmpeg, a ladder, memory, a reload, and clips', async () => {
  const amounts = { watched: 3, packaged: 4, laddered: 3, hours: 2, clipped: 4 }
  const measurements = await createLiveHlsBench(amounts).run(() => {}, new AbortController().signal)
  const pages = [...livePlayers, 'from a bucket'].flatMap(() => ['ms', 'ms', 's'])
  const memory = ['MB', 'MB', 'MB', 'MB']
  const rows = measurements.map((measurement) => toRow('live-hls', measurement))
  expect(rows.map(({ unit }) => unit)).toEqual([
    ...[...pages, 'CPU s', 'frames', 's', 'cores', ...memory, 'bytes', 'ms', 'ms', 'ms', 'ms'],
  ])
  for (const { value, unit } of rows) expect(value).toBeGreaterThanOrEqual(unit === 'frames' ? 0 : Number.MIN_VALUE)
  expect(rows.find(({ unit }) => unit === 'bytes')).toMatchObject({ met: true })
})
