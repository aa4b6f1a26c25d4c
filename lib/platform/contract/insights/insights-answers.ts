import { z } from 'zod'

export const sdkTypes = ['JS', 'IOS', 'ANDROID', 'WINDOWS', 'MACOS', 'LINUX'] as const
export const usageIntervals = ['AUTO', 'DAILY', 'WEEKLY', 'MONTHLY'] as const
export const usageGroups = ['SDK_TYPE', 'SDK_VERSION', 'COUNTRY', 'REGION', 'BROWSER', 'BROWSER_VERSION'] as const

/** The arguments of a usage query and their GraphQL types. */
export const usageArguments = {
  start: 'Date!',
  end: 'Date',
  interval: '[Interval!]',
  sdkType: '[SdkType!]',
  sdkVersion: '[String!]',
  country: '[String!]',
  region: '[String!]',
  browser: '[String!]',
  browserVersion: '[String!]',
  groupBy: '[GroupBy!]',
} as const

const minutes = z.number().nullable()

/** Minutes that can be filtered and grouped by SDK, region and browser, because each belongs to one client. */
export const streamedMinutes = z.object({ streamedPublishedMinutes: minutes, streamedSubscribedMinutes: minutes })

export const usageMinutes = streamedMinutes.extend({
  participantMinutes: minutes,
  individualArchiveMinutes: minutes,
  sdArchiveComposedMinutes: minutes,
  hdArchiveComposedMinutes: minutes,
  sdBroadcastComposedMinutes: minutes,
  hdBroadcastComposedMinutes: minutes,
  hlsMinutes: minutes,
  sipUserMinutes: minutes,
})

/** ISO-8601. */
const date = z.string()

/** The usage of one group in one interval. Fields that the query does not group by are null. */
export const usageMetric = z.object({
  intervalStart: date,
  intervalEnd: date,
  sdkType: z.string().nullable(),
  sdkVersion: z.string().nullable(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  browser: z.string().nullable(),
  browserVersion: z.string().nullable(),
  usage: usageMinutes.partial().nullable(),
})

/** One use of a session without a pause of ten minutes. `destroyedAt` is null while it continues. */
export const meetingSummary = z.object({
  sessionId: z.string(),
  meetingId: z.string(),
  createdAt: date,
  destroyedAt: date.nullable(),
  maxConcurrentStreams: z.int(),
  maxConcurrentSubscribers: z.int(),
  totalStreams: z.int(),
  totalConnections: z.int(),
  publisherMinutes: z.number(),
  subscriberMinutes: z.number(),
  participantMinutes: z.number(),
})

const measured = {
  createdAt: date,
  audioBitrateKbps: z.number().nullable(),
  videoBitrateKbps: z.number().nullable(),
  audioLatencyMs: z.number().nullable(),
  videoLatencyMs: z.number().nullable(),
  audioPacketLoss: z.number().nullable(),
  videoPacketLoss: z.number().nullable(),
  audioCodec: z.string().nullable(),
  videoCodec: z.string().nullable(),
  videoResolution: z.string().nullable(),
}

/** Samples of a published stream or of one subscription to it, taken every 30 s. Packet loss is 0 to 1. */
export const streamStatistics = {
  publishers: z.object({ ...measured, hasAudio: z.boolean(), hasVideo: z.boolean() }),
  subscribers: z.object({ ...measured, subscribeToAudio: z.boolean(), subscribeToVideo: z.boolean() }),
} as const

/** A stream in a meeting, with the connection of its publisher or subscriber. */
export const meetingStream = z.object({
  connectionId: z.string(),
  createdAt: date,
  destroyedAt: date.nullable(),
  stream: z.object({
    streamId: z.string(),
    videoType: z.string(),
    hasAudioTrack: z.boolean(),
    hasVideoTrack: z.boolean(),
  }),
})

export const insightsPage = <Item extends z.ZodType>(item: Item) =>
  z.object({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    resources: z.array(item),
  })
