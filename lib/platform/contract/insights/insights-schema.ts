const pageOf = (list: string, item: string, more = '') => `type ${list} {
  totalCount: Int!
  pageInfo: PageInfo!
  ${more}
  resources: [${item}!]!
}`

/** The fields that samples of published and of subscribed streams have in common. */
const measured = `audioBitrateKbps: Float
  videoBitrateKbps: Float
  audioLatencyMs: Float
  videoLatencyMs: Float
  "Ratio of lost packets, 0 to 1."
  audioPacketLoss: Float
  videoPacketLoss: Float
  audioCodec: String
  videoCodec: String
  "In the format 1280x720."
  videoResolution: String`

/**
 * The GraphQL schema of queryInsights. Names are those of the documented interface and of public queries.
 *
 * Required arguments are nullable, and the interval is a list. A missing argument or a second interval is therefore
 * answered with its own code (1013, 1003) instead of GraphQL's message. The default of `first` is 1,000.
 */
export const insightsSchema = /* GraphQL */ `
"ISO-8601, or seconds (up to ten digits) or milliseconds since the epoch. Answers have ISO-8601."
scalar Date

enum Interval { AUTO DAILY WEEKLY MONTHLY }
enum SdkType { JS IOS ANDROID WINDOWS MACOS LINUX }
enum GroupBy { SDK_TYPE SDK_VERSION COUNTRY REGION BROWSER BROWSER_VERSION }

type Query {
  "One project per query."
  project(projectId: Int!): Project
}

type Project {
  "Usage by interval. Intervals without data are omitted."
  projectData(
    "Required. 0 is the earliest instant."
    start: Date
    "The default is now."
    end: Date
    "At most one. The default is AUTO, which depends on the length of the range."
    interval: [Interval!]
    "This filter, the filters below and grouping by them omit usage that belongs to no client."
    sdkType: [SdkType!]
    "In the format 0.0.0."
    sdkVersion: [String!]
    country: [String!]
    region: [String!]
    browser: [String!]
    browserVersion: [String!]
    groupBy: [GroupBy!]
    first: Int
    endCursor: String
  ): ProjectData
  sessionData: SessionData
}

type PageInfo {
  hasNextPage: Boolean!
  endCursor: String
}

type ProjectData {
  "The interval that was used, also for AUTO."
  interval: Interval!
  totalCount: Int!
  pageInfo: PageInfo!
  resources: [Metric!]!
}

type Metric {
  sdkType: SdkType
  sdkVersion: String
  country: String
  region: String
  browser: String
  browserVersion: String
  intervalStart: Date!
  intervalEnd: Date!
  usage: Usage
}

"All values are minutes."
type Usage {
  streamedPublishedMinutes: Float
  streamedSubscribedMinutes: Float
  participantMinutes: Float
  individualArchiveMinutes: Float
  sdArchiveComposedMinutes: Float
  hdArchiveComposedMinutes: Float
  sdBroadcastComposedMinutes: Float
  hdBroadcastComposedMinutes: Float
  hlsMinutes: Float
  sipUserMinutes: Float
}

"Needs the advanced add-on."
type SessionData {
  "Needs at least one id."
  sessions(sessionIds: [String], first: Int, endCursor: String): Sessions
  "Needs a start."
  sessionSummaries(start: Date, end: Date, first: Int, endCursor: String): SessionSummary
}

${pageOf('Sessions', 'Session')}

type Session {
  sessionId: String!
  createdAt: Date!
  mediaMode: String!
  publisherMinutes: Float!
  subscriberMinutes: Float!
  participantMinutes: Float!
  meetings(meetingId: String, first: Int, endCursor: String): Meetings!
}

${pageOf('Meetings', 'Meeting')}

"Use of a session without a pause of ten minutes."
type Meeting {
  meetingId: String!
  createdAt: Date!
  "When the last client left; null until ten minutes have passed since."
  destroyedAt: Date
  publisherMinutes: Float!
  subscriberMinutes: Float!
  participantMinutes: Float!
  connections(first: Int, endCursor: String): Connections!
  publishers(first: Int, endCursor: String): Publishers!
  subscribers(first: Int, endCursor: String): Subscribers!
}

${pageOf('Connections', 'Connection', 'maxConcurrent: Int!')}

type Connection {
  connectionId: String!
  createdAt: Date!
  destroyedAt: Date
  publishers(first: Int, endCursor: String): Publishers!
  subscribers(first: Int, endCursor: String): Subscribers!
}

${pageOf('Publishers', 'Publisher', 'maxConcurrent: Int!')}

type Publisher {
  connectionId: String!
  createdAt: Date!
  destroyedAt: Date
  stream: StreamInfo!
  streamStatsCollection(first: Int, endCursor: String): PublisherStreamStatsCollection!
  subscribers(first: Int, endCursor: String): Subscribers!
}

${pageOf('Subscribers', 'Subscriber', 'maxConcurrent: Int!')}

type Subscriber {
  subscriberId: String!
  connectionId: String!
  createdAt: Date!
  destroyedAt: Date
  stream: StreamInfo!
  streamStatsCollection(first: Int, endCursor: String): SubscriberStreamStatsCollection!
}

type StreamInfo {
  streamId: String!
  videoType: String!
  hasAudioTrack: Boolean!
  hasVideoTrack: Boolean!
}

${pageOf('PublisherStreamStatsCollection', 'PublisherStreamStats')}

"A sample is taken every 30 seconds. Values that a stream lacks, or that were not measured, are null."
type PublisherStreamStats {
  createdAt: Date!
  hasAudio: Boolean!
  hasVideo: Boolean!
  ${measured}
}

${pageOf('SubscriberStreamStatsCollection', 'SubscriberStreamStats')}

"A sample is taken every 30 seconds. Values that a stream lacks, or that were not measured, are null."
type SubscriberStreamStats {
  createdAt: Date!
  subscribeToAudio: Boolean!
  subscribeToVideo: Boolean!
  ${measured}
}

${pageOf('SessionSummary', 'MeetingSummary')}

type MeetingSummary {
  sessionId: String!
  meetingId: String!
  createdAt: Date!
  destroyedAt: Date
  maxConcurrentStreams: Int!
  maxConcurrentSubscribers: Int!
  totalStreams: Int!
  totalConnections: Int!
  "These three fields slow the query down."
  publisherMinutes: Float!
  subscriberMinutes: Float!
  participantMinutes: Float!
}
`
