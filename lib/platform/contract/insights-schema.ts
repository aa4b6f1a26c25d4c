/**
 * The GraphQL schema behind E36.
 *
 * Names are those that the specification and public queries use. Arguments that must be given and lists that take one
 * value are nullable and lists here, so that leaving them out or giving two gets its own code (1013, 1003, 1010) and
 * not GraphQL's words.
 */
export const insightsSchema = /* GraphQL */ `
"ISO-8601, or seconds (up to ten digits) or milliseconds since the epoch; answered as ISO-8601."
scalar Date

enum Interval { AUTO DAILY WEEKLY MONTHLY }
enum SdkType { JS IOS ANDROID WINDOWS MACOS LINUX }
enum GroupBy { SDK_TYPE SDK_VERSION COUNTRY REGION BROWSER BROWSER_VERSION }

type Query {
  "One project per query."
  project(projectId: Int!): Project
}

type Project {
  "Usage by interval; only intervals with data are answered."
  projectData(
    "Must be given; 0 is the earliest there is."
    start: Date
    "Now, unless given."
    end: Date
    "One at most."
    interval: [Interval!]
    sdkType: [SdkType!]
    "As 0.0.0."
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

"All in minutes."
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
  "At least one id must be given."
  sessions(sessionIds: [String!], first: Int, endCursor: String): Sessions
  "The start must be given."
  sessionSummaries(start: Date, end: Date, first: Int, endCursor: String): SessionSummary
}

type Sessions {
  totalCount: Int!
  pageInfo: PageInfo!
  resources: [Session!]!
}

type Session {
  sessionId: String!
  createdAt: Date!
  mediaMode: String!
  publisherMinutes: Float!
  subscriberMinutes: Float!
  participantMinutes: Float!
  meetings: Meetings!
}

type Meetings {
  totalCount: Int!
  resources: [Meeting!]!
}

"Use of a session without a pause of ten minutes."
type Meeting {
  meetingId: String!
  createdAt: Date!
  "Null while it goes on."
  destroyedAt: Date
  publisherMinutes: Float!
  subscriberMinutes: Float!
  participantMinutes: Float!
  connections: Connections!
  publishers: Publishers!
  subscribers: Subscribers!
}

type Connections {
  totalCount: Int!
  maxConcurrent: Int!
  resources: [Connection!]!
}

type Connection {
  connectionId: String!
  createdAt: Date!
  destroyedAt: Date
  publishers: Publishers!
  subscribers: Subscribers!
}

type Publishers {
  totalCount: Int!
  maxConcurrent: Int!
  resources: [Publisher!]!
}

type Publisher {
  connectionId: String!
  createdAt: Date!
  destroyedAt: Date
  stream: StreamInfo!
  streamStatsCollection: StreamStatsCollection!
  subscribers: Subscribers!
}

type Subscribers {
  totalCount: Int!
  maxConcurrent: Int!
  resources: [Subscriber!]!
}

type Subscriber {
  subscriberId: String!
  connectionId: String!
  createdAt: Date!
  destroyedAt: Date
  stream: StreamInfo!
  streamStatsCollection: StreamStatsCollection!
}

type StreamInfo {
  streamId: String!
  videoType: String!
  hasAudioTrack: Boolean!
  hasVideoTrack: Boolean!
}

type StreamStatsCollection {
  totalCount: Int!
  resources: [StreamStats!]!
}

"Sampled every 30 seconds; what a stream does not have is null."
type StreamStats {
  createdAt: Date!
  hasAudio: Boolean!
  hasVideo: Boolean!
  audioBitrateKbps: Float
  videoBitrateKbps: Float
  audioLatencyMs: Float
  videoLatencyMs: Float
  audioPacketLossRatio: Float
  videoPacketLossRatio: Float
  audioCodec: String
  videoCodec: String
  "As 1280x720."
  videoResolution: String
}

type SessionSummary {
  totalCount: Int!
  pageInfo: PageInfo!
  resources: [MeetingSummary!]!
}

type MeetingSummary {
  sessionId: String!
  meetingId: String!
  createdAt: Date!
  destroyedAt: Date
  maxConcurrentStreams: Int!
  maxConcurrentSubscribers: Int!
  totalStreams: Int!
  totalConnections: Int!
  "These three slow the query down."
  publisherMinutes: Float!
  subscriberMinutes: Float!
  participantMinutes: Float!
}
`
