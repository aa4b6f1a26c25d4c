import type { PlatformClient } from '../../platform/client/client.ts'
import { PlatformNotFoundError } from '../../platform/client/errors.ts'
import type { StreamQuality as Measured, Side } from '../../platform/client/insights/insights-quality.ts'
import { ratings, type ShowQuality, type StreamQuality } from '../../show/state/quality.ts'

/** Streams of each direction in one report: each is at least one request to Insights. */
const MAX_STREAMS = 200

/** Averages above which a connection is rated fair or bad. Loss is a ratio, latency in milliseconds. */
const limits = { loss: { fair: 0.02, bad: 0.05 }, latency: { fair: 250, bad: 400 } } as const

/** Queries Insights for the quality of each sent and received stream. A session that Insights do not know has no streams. */
export async function qualityOf(
  platform: PlatformClient,
  sessionId: string,
): Promise<Pick<ShowQuality, 'badConnections' | 'streams' | 'truncated'>> {
  const [sent, received] = [
    await read(platform, sessionId, 'publishers'),
    await read(platform, sessionId, 'subscribers'),
  ]
  const streams = [...sent, ...received].map(({ side, stream }) => summarize(side, stream))
  const isBad = ({ rating }: StreamQuality) => rating === 'bad'
  return {
    badConnections: [...new Set(streams.filter(isBad).map(({ connectionId }) => connectionId))],
    streams: streams.sort((one, other) => badness(other) - badness(one)),
    truncated: sent.length === MAX_STREAMS || received.length === MAX_STREAMS,
  }
}

async function read({ insights }: PlatformClient, sessionId: string, side: Side) {
  const streams: { readonly side: Side; readonly stream: Measured }[] = []
  try {
    for await (const stream of insights.quality({ sessionIds: [sessionId], of: side })) {
      streams.push({ side, stream })
      if (streams.length === MAX_STREAMS) break
    }
  } catch (error) {
    if (!(error instanceof PlatformNotFoundError)) throw error
  }
  return streams
}

const FIGURES = [
  'audioBitrateKbps',
  'videoBitrateKbps',
  'audioLatencyMs',
  'videoLatencyMs',
  'audioPacketLoss',
  'videoPacketLoss',
] as const

function summarize(side: Side, { connectionId, stream, statistics }: Measured): StreamQuality {
  const figures = Object.fromEntries(
    FIGURES.map((name) => [
      name,
      figureOf(
        statistics.flatMap((sample) => sample[name] ?? []),
        /Bitrate/.test(name),
      ),
    ]),
  ) as Pick<StreamQuality, (typeof FIGURES)[number]>
  return {
    direction: side === 'publishers' ? 'sent' : 'received',
    connectionId,
    streamId: stream.streamId,
    rating: ratingOf(figures),
    samples: statistics.length,
    ...figures,
  }
}

function figureOf(values: readonly number[], isLowWorst: boolean) {
  if (values.length === 0) return null
  const average = values.reduce((total, value) => total + value, 0) / values.length
  return { average, worst: isLowWorst ? Math.min(...values) : Math.max(...values) }
}

type Figures = Pick<StreamQuality, 'audioLatencyMs' | 'videoLatencyMs' | 'audioPacketLoss' | 'videoPacketLoss'>

/** Ignores bit rates, because a still picture needs few bits. */
function ratingOf(figures: Figures): StreamQuality['rating'] {
  const judged = [
    ...[figures.audioPacketLoss, figures.videoPacketLoss].map((figure) => [figure, limits.loss] as const),
    ...[figures.audioLatencyMs, figures.videoLatencyMs].map((figure) => [figure, limits.latency] as const),
  ].flatMap(([figure, { fair, bad }]) => {
    if (!figure) return []
    return [figure.average > bad ? 2 : figure.average > fair ? 1 : 0]
  })
  return judged.length === 0 ? null : (ratings[Math.max(...judged)] ?? null)
}

const badness = ({ rating }: StreamQuality) => (rating === null ? -1 : ratings.indexOf(rating))
