import { z } from 'zod'
import { sdkVersion } from '../../../lib/platform/contract/insights/insights.ts'
import { sdkTypes } from '../../../lib/platform/contract/insights/insights-answers.ts'
import { signalOperations } from '../../../lib/platform/contract/signals.ts'
import type { ClientClaims } from '../http/client-tokens.ts'
import type { DepartureReason } from './presence.ts'
import { publication } from './publication.ts'

/** Name of the subprotocol that WebSockets negotiate; another version has another name. */
export const PROTOCOL = 'participant.v1'

/** Maximum bytes of a message; the longest signal fits in any escaping. */
export const MAX_MESSAGE_LENGTH = 64 * 1024

/** Details by which Insights distinguish clients. @default the JavaScript SDK, without further details */
export const clientDetails = z.object({
  sdkType: z.enum(sdkTypes).default('JS'),
  sdkVersion: sdkVersion.optional(),
  country: z.string().max(100).optional(),
  region: z.string().max(100).optional(),
  browser: z.string().max(100).optional(),
  browserVersion: z.string().max(100).optional(),
})

/** First message of a participant. The token is not in the URL, since URLs are logged. */
export const joinMessage = z.strictObject({
  type: z.literal('join'),
  token: z.string(),
  client: clientDetails.prefault({}),
})

/** Number of a request, which its answer repeats. */
const request = z.int().min(0).optional()
const streamId = z.string()
const connectionId = z.string()
/** An SDP offer. Its length is bounded by that of the message. */
const sdp = z.string().min(1)

/** Requests of a participant who has joined. */
export const requestMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('publish'),
    request,
    ...publication.shape,
    /** Absent with `sdp`. @default a generated pattern */
    source: publication.shape.source.unwrap().optional(),
    /** Offer that sends the media. Then `audio` and `video` say what is not held back at first. */
    sdp: sdp.optional(),
  }),
  z.strictObject({ type: z.literal('unpublish'), request, streamId }),
  z.strictObject({ type: z.literal('subscribe'), request, streamId, sdp }),
  z.strictObject({ type: z.literal('unsubscribe'), request, id: z.string() }),
  z.strictObject({ type: z.literal('offer'), request, id: z.string(), sdp }),
  z.strictObject({ type: z.literal('setAudio'), request, streamId, audio: z.boolean() }),
  z.strictObject({ type: z.literal('setVideo'), request, streamId, video: z.boolean() }),
  z.strictObject({
    type: z.literal('signal'),
    request,
    /** Receiving connection. @default all in the session */
    to: connectionId.optional(),
    signal: signalOperations.signalSession.body,
  }),
  z.strictObject({ type: z.literal('forceMute'), request, streamId }),
  z.strictObject({
    type: z.literal('forceMuteAll'),
    request,
    active: z.boolean().default(true),
    excludedStreamIds: z.array(streamId).default([]),
  }),
  z.strictObject({ type: z.literal('forceDisconnect'), request, connectionId }),
  z.strictObject({ type: z.literal('leave'), request }),
])

export type ParticipantRequest = z.output<typeof requestMessage>

/** A client of the session, possibly the participant's own. */
export interface ConnectionView {
  readonly id: string
  readonly createdAt: number
  /** Connection data of its token. */
  readonly data?: string | undefined
}

export interface StreamView {
  readonly id: string
  readonly connectionId: string
  readonly createdAt: number
  readonly name: string
  readonly videoType: 'camera' | 'screen' | 'custom'
  /** Tracks that it carries now. */
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly layoutClassList: readonly string[]
}

/** An event of the session, for participants that may receive it. */
export type SessionEvent =
  | { readonly type: 'connectionCreated'; readonly connection: ConnectionView }
  | { readonly type: 'connectionDestroyed'; readonly connection: ConnectionView; readonly reason: DepartureReason }
  | { readonly type: 'streamCreated' | 'streamChanged'; readonly stream: StreamView }
  | { readonly type: 'streamDestroyed'; readonly stream: StreamView; readonly reason: DepartureReason }
  /** A moderator has muted one of the participant's own streams. */
  | { readonly type: 'muteForced'; readonly streamId: string }
  /** True if streams published from now on are muted. */
  | { readonly type: 'sessionMuted'; readonly active: boolean }
  /** `from` is empty for a signal of the server. */
  | {
      readonly type: 'signal'
      readonly from: string
      readonly signal: { readonly type?: string | undefined; readonly data: string }
    }
  /** The last event: the participant is out of the session. */
  | { readonly type: 'disconnected'; readonly reason: DepartureReason }

/** Answer to a join, with the clients and streams that are in the session already. */
export interface Joined {
  readonly type: 'joined'
  readonly connectionId: string
  readonly role: ClientClaims['role']
  readonly isMuted: boolean
  readonly connections: readonly ConnectionView[]
  readonly streams: readonly StreamView[]
}

/** Answer to a request, with its number. */
export type SessionAnswer =
  | { readonly type: 'published'; readonly request?: number | undefined; readonly stream: StreamView }
  /**
   * Answers an offer. `id` names the publication, and its stream once that is created; or it names the subscription.
   * `sdp` is the answer.
   */
  | {
      readonly type: 'published' | 'subscribed' | 'answered'
      readonly request?: number | undefined
      readonly id: string
      readonly sdp: string
      readonly stream?: undefined
    }
  | { readonly type: 'done'; readonly request?: number | undefined }
  | { readonly type: 'refused'; readonly request?: number | undefined; readonly reason: string }

export type ServerMessage = Joined | SessionAnswer | SessionEvent
