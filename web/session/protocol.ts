// Messages of the participant WebSocket (`participant.v1`), as docs/sandbox.md describes them.

export const PROTOCOL = 'participant.v1'

export type Role = 'subscriber' | 'publisher' | 'publisheronly' | 'moderator'
export type VideoType = 'camera' | 'screen' | 'custom'
export type DepartureReason = 'clientDisconnected' | 'forceDisconnected' | 'networkDisconnected'

/** A client of the session. */
export interface ConnectionInfo {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Connection data of its token. */
  readonly data?: string
}

export interface StreamInfo {
  readonly id: string
  readonly connectionId: string
  readonly createdAt: number
  readonly name: string
  readonly videoType: VideoType
  /** Tracks that it carries now: none that is muted, and no video while its camera is off. */
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly layoutClassList: readonly string[]
}

export interface JoinedMessage {
  readonly type: 'joined'
  readonly connectionId: string
  readonly role: Role
  readonly isMuted: boolean
  readonly connections: readonly ConnectionInfo[]
  readonly streams: readonly StreamInfo[]
}

export type EventMessage =
  | { readonly type: 'connectionCreated'; readonly connection: ConnectionInfo }
  | { readonly type: 'connectionDestroyed'; readonly connection: ConnectionInfo; readonly reason: DepartureReason }
  | { readonly type: 'streamCreated' | 'streamChanged'; readonly stream: StreamInfo }
  | { readonly type: 'streamDestroyed'; readonly stream: StreamInfo; readonly reason: DepartureReason }
  | { readonly type: 'muteForced'; readonly streamId: string }
  | { readonly type: 'sessionMuted'; readonly active: boolean }
  | {
      readonly type: 'signal'
      readonly from: string
      readonly signal: { readonly type?: string; readonly data: string }
    }
  | { readonly type: 'disconnected'; readonly reason: DepartureReason }

export type AnswerMessage =
  | {
      readonly type: 'published' | 'subscribed' | 'answered'
      readonly request: number
      readonly id: string
      readonly sdp: string
    }
  | { readonly type: 'done'; readonly request: number }
  | { readonly type: 'refused'; readonly request?: number; readonly reason: string }

export type RequestMessage =
  | { type: 'publish'; name: string; videoType: VideoType; audio: boolean; video: boolean; sdp: string }
  | { type: 'unpublish'; streamId: string }
  | { type: 'subscribe'; streamId: string; sdp: string }
  | { type: 'unsubscribe'; id: string }
  | { type: 'offer'; id: string; sdp: string }
  | { type: 'setAudio'; streamId: string; audio: boolean }
  | { type: 'setVideo'; streamId: string; video: boolean }
  | { type: 'signal'; signal: { type?: string; data: string }; to?: string }
  | { type: 'leave' }
