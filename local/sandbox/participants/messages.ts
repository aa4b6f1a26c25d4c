import { z } from 'zod'
import { sdkVersion } from '../../../lib/platform/contract/insights/insights.ts'
import { sdkTypes } from '../../../lib/platform/contract/insights/insights-answers.ts'
import { signalOperations } from '../../../lib/platform/contract/signals.ts'
import type { ClientClaims } from '../http/client-tokens.ts'
import type { DepartureReason } from './presence.ts'
import { publication } from './publication.ts'

/** The name of what participants speak, as WebSockets negotiate it; another version has another name. */
export const PROTOCOL = 'participant.v1'

/** Bytes of a message; the longest signal fits however it is escaped. */
export const MAX_MESSAGE_LENGTH = 64 * 1024

/** What Insights tell a client apart by: the JavaScript SDK unless told otherwise, and nothing more. */
export const clientDetails = z.object({
  sdkType: z.enum(sdkTypes).default('JS'),
  sdkVersion: sdkVersion.optional(),
  country: z.string().max(100).optional(),
  region: z.string().max(100).optional(),
  browser: z.string().max(100).optional(),
  browserVersion: z.string().max(100).optional(),
})

/** The first message: the token is not in the URL, since URLs are logged. */
export const joinMessage = z.strictObject({
  type: z.literal('join'),
  token: z.string(),
  client: clientDetails.prefault({}),
})

/** Which request an answer belongs to, if whoever asks wants to know. */
const request = z.int().min(0).optional()
const streamId = z.string()
const connectionId = z.string()

/** Everything that somebody who has joined may ask for. */
export const requestMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('publish'), request, ...publication.shape }),
  z.strictObject({ type: z.literal('unpublish'), request, streamId }),
  z.strictObject({ type: z.literal('setAudio'), request, streamId, audio: z.boolean() }),
  z.strictObject({
    type: z.literal('signal'),
    request,
    /** A connection; everybody in the session unless told. */
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

/** Another client, or oneself. */
export interface ConnectionView {
  readonly id: string
  readonly createdAt: number
  /** What its token carries. */
  readonly data?: string | undefined
}

export interface StreamView {
  readonly id: string
  readonly connectionId: string
  readonly createdAt: number
  readonly name: string
  readonly videoType: 'camera' | 'screen' | 'custom'
  /** What comes out of it now. */
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly layoutClassList: readonly string[]
}

/** What happens in the session, to whoever may know of it. */
export type SessionEvent =
  | { readonly type: 'connectionCreated'; readonly connection: ConnectionView }
  | { readonly type: 'connectionDestroyed'; readonly connection: ConnectionView; readonly reason: DepartureReason }
  | { readonly type: 'streamCreated' | 'streamChanged'; readonly stream: StreamView }
  | { readonly type: 'streamDestroyed'; readonly stream: StreamView; readonly reason: DepartureReason }
  /** A moderator has muted a stream of one's own. */
  | { readonly type: 'muteForced'; readonly streamId: string }
  /** What becomes of streams that are published from now on. */
  | { readonly type: 'sessionMuted'; readonly active: boolean }
  /** `from` is empty if the server sends it. */
  | {
      readonly type: 'signal'
      readonly from: string
      readonly signal: { readonly type?: string | undefined; readonly data: string }
    }
  /** The last one: one is out. */
  | { readonly type: 'disconnected'; readonly reason: DepartureReason }

/** Who is there already, oneself left out. */
export interface Joined {
  readonly type: 'joined'
  readonly connectionId: string
  readonly role: ClientClaims['role']
  readonly isMuted: boolean
  readonly connections: readonly ConnectionView[]
  readonly streams: readonly StreamView[]
}

/** Answers bear the number of their request. */
export type Answer =
  | { readonly type: 'published'; readonly request?: number | undefined; readonly stream: StreamView }
  | { readonly type: 'done'; readonly request?: number | undefined }
  | { readonly type: 'refused'; readonly request?: number | undefined; readonly reason: string }

export type ServerMessage = Joined | Answer | SessionEvent
