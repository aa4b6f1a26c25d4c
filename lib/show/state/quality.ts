import { z } from 'zod'

const time = z.iso.datetime()

/** The samples of one figure; null where Insights measured nothing. */
const figure = z.object({ average: z.number(), worst: z.number() }).nullable()

/** How good a connection was for one stream; null where Insights measured nothing that would say so. */
export const ratings = ['good', 'fair', 'bad'] as const

/** One stream as one connection sent or received it. */
const streamQuality = z.object({
  direction: z.enum(['sent', 'received']),
  connectionId: z.string(),
  streamId: z.string(),
  rating: z.enum(ratings).nullable(),
  /** One every 30 s. */
  samples: z.int(),
  audioBitrateKbps: figure,
  videoBitrateKbps: figure,
  audioLatencyMs: figure,
  videoLatencyMs: figure,
  /** 0 to 1. */
  audioPacketLoss: figure,
  videoPacketLoss: figure,
})
export type StreamQuality = z.output<typeof streamQuality>

/** `shows/<id>/quality.json`: whose connection was bad, by the platform's advanced Insights; written once. */
export const showQuality = z.object({
  version: z.literal(1),
  showId: z.string(),
  sessionId: z.string(),
  askedAt: time,
  /** Ids of the connections with a stream that is rated bad. */
  badConnections: z.array(z.string()),
  /** Worst first. */
  streams: z.array(streamQuality),
  /** Whether there were more streams than a report holds. */
  truncated: z.boolean(),
})
export type ShowQuality = z.output<typeof showQuality>
