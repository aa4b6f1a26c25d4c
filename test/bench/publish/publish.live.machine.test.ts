import { beforeAll, describe, expect, it } from 'vitest'
import { type Row, toRow } from '../../../bench/bench.ts'
import { createPublishBench } from '../../../bench/publish/publish.ts'
import { bundle } from '../../../lib/constructs/deploy/bundles.ts'
import { nodeOptionsFor } from '../../../lib/constructs/showrunner-function.ts'

describe('createPublishBench', () => {
  let rows: Row[]
  beforeAll(async () => {
    const kind = { width: 320, height: 180, bitrate: 500_000 }
    const nodeOptions = nodeOptionsFor(['archives'], 512)
    const bench = createPublishBench({ bundle, nodeOptions, kind, lengths: { compared: 60, short: 20, long: 80 } })
    const measurements = await bench.run(() => {}, new AbortController().signal)
    rows = measurements.map((measurement) => toRow('publish', measurement))
  })

  it('has figures of every work and its baseline', () => {
    for (const work of [
      'inspect, to ffprobe -show_packets',
      'poster and 60 thumbnails, to the faster of ffmpeg’s',
      'faststart copy, to download, +faststart, upload',
      'ten minutes of HLS by copy, to ffmpeg -c copy -f hls, upload',
      'all until ready, side by side here, to ffmpeg’s in sequence',
    ]) {
      const figures = rows.filter((row) => row.work.startsWith(`${work}: `))
      expect(figures.length).toBeGreaterThanOrEqual(5)
      for (const { value, baseline } of figures) {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(baseline).toBeGreaterThanOrEqual(0)
      }
    }
  })

  it('says what functions need of the time and memory that they may have', () => {
    for (const task of ['hashSource', 'makeThumbnails', 'copyAudio', 'measureAudio', 'findChapters', 'encodePiece'])
      for (const [what, unit] of [
        ['wall time', 's'],
        ['peak memory', 'MB'],
      ]) {
        const row = rows.find(({ work }) => work.startsWith(`${task} of `) && work.endsWith(`: ${what}`))
        expect(row).toMatchObject({ unit, value: expect.any(Number), baseline: expect.any(Number) })
        expect(row?.value).toBeGreaterThan(0)
      }
  })

  it('reads hardly more of a recording than it has to, and sends less of it than ffmpeg', () => {
    const read = rows.find(({ work }) => work === 'inspect, to ffprobe -show_packets: read')
    expect(read?.value).toBeLessThan(1)
    const moved = rows.find(({ work }) => work.startsWith('faststart copy') && work.endsWith('through the process'))
    expect(moved).toMatchObject({ goal: 12, met: true })
  })
})
