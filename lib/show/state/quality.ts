import { z } from 'zod'

const time = z.iso.datetime()

/** Average and worst sample of one figure; null if Insights measured nothing. */
const figure = z.object({ average: z.number(), worst: z.number() }).nullable()

/** Ratings of a connection for one stream. */
export const ratings = ['good', 'fair', 'bad'] as const

/** Quality of one stream that one connection sent or received. */
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

/** `shows/<id>/quality.json`: bad connections, from the platform's advanced Insights; written once. */
export const showQuality = z.object({
  version: z.literal(1),
  showId: z.string(),
  sessionId: z.string(),
  askedAt: time,
  /** Ids of connections with a stream that is rated bad. */
  badConnections: z.array(z.string()),
  /** Worst first. */
  streams: z.array(streamQuality),
  /** True if there were more streams than a report holds. */
  truncated: z.boolean(),
})
export type ShowQuality = z.output<typeof showQuality>
