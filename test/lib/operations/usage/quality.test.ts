import { describe, expect, it } from 'vitest'
import { qualityOf } from '../../../../lib/operations/usage/quality.ts'
import type { PlatformClient } from '../../../../lib/platform/client/client.ts'
import { PlatformNotFoundError } from '../../../../lib/platform/client/errors.ts'

const nothing = {
  ...{ audioBitrateKbps: null, videoBitrateKbps: null, audioLatencyMs: null, videoLatencyMs: null },
  ...{ audioPacketLoss: null, videoPacketLoss: null },
}
const streamOf = (connectionId: string, ...statistics: object[]) => ({
  ...{ connectionId, stream: { streamId: `stream of ${connectionId}` } },
  statistics: statistics.map((one) => ({ ...nothing, ...one })),
})

/** A platform whose Insights report these streams. */
const reporting = (sent: object[], received: object[] = []) =>
  ({
    insights: {
      async *quality({ of }: { of: string }) {
        yield* of === 'publishers' ? sent : received
      },
    },
  }) as unknown as PlatformClient

describe('qualityOf', () => {
  it('rates streams by their average loss and latency, and lists the worst first', async () => {
    const sent = [
      streamOf('good', { audioPacketLoss: 0.001, audioLatencyMs: 40 }),
      streamOf('fair', { videoPacketLoss: 0 }, { videoPacketLoss: 0.06 }),
      streamOf('bad', { videoLatencyMs: 900 }),
    ]
    const { streams, badConnections, truncated } = await qualityOf(reporting(sent), 's')
    expect(streams.map(({ connectionId, rating }) => [connectionId, rating])).toEqual([
      ['bad', 'bad'],
      ['fair', 'fair'],
      ['good', 'good'],
    ])
    expect([badConnections, truncated]).toEqual([['bad'], false])
  })

  it('names a bad connection once, by what it sends or receives', async () => {
    const bad = streamOf('home', { audioPacketLoss: 0.2 })
    const report = await qualityOf(reporting([bad], [bad, streamOf('office', { audioPacketLoss: 0 })]), 's')
    expect(report.badConnections).toEqual(['home'])
    expect(report.streams.map(({ direction }) => direction)).toEqual(['sent', 'received', 'received'])
  })

  it('has averages and worst values, and nulls where nothing was measured', async () => {
    const samples = [
      { videoBitrateKbps: 900, audioPacketLoss: 0 },
      { videoBitrateKbps: 100, audioPacketLoss: 0.04 },
    ]
    const { streams } = await qualityOf(reporting([streamOf('a', ...samples), streamOf('b', {})]), 's')
    expect(streams).toMatchObject([
      {
        ...{ rating: 'good', samples: 2, videoLatencyMs: null },
        ...{ videoBitrateKbps: { average: 500, worst: 100 }, audioPacketLoss: { average: 0.02, worst: 0.04 } },
      },
      { rating: null, samples: 1, audioPacketLoss: null },
    ])
  })

  it('stops at 200 streams of each direction and marks the report as truncated', async () => {
    const many = Array.from({ length: 300 }, (_, index) => streamOf(`c${index}`))
    const { streams, truncated } = await qualityOf(reporting(many, many), 's')
    expect([streams.length, truncated]).toEqual([400, true])
  })

  it('returns no streams for a session that Insights do not know', async () => {
    const platform = reporting([])
    platform.insights.quality = async function* () {
      yield* []
      throw new PlatformNotFoundError('gone', { status: 200, details: { operation: 'queryInsights', attempt: 1 } })
    }
    expect(await qualityOf(platform, 's')).toEqual({ badConnections: [], streams: [], truncated: false })
  })
})
