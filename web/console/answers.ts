import type { AnswerOf } from '../../lib/api/answers.ts'
import type { ShowDocument } from '../../lib/client/documents.ts'

export type { ShowDocument }

type ShowAnswer = AnswerOf<'show'>
type RecordingAnswer = AnswerOf<'recording'>

/** The fields of the API's answers that the page reads. Times are ISO 8601, in UTC. */
export type ShowLine = AnswerOf<'shows'>['items'][number]
export interface TimelineEvent extends Pick<ShowAnswer['timeline'][number], 'at' | 'name' | 'part' | 'id' | 'detail'> {
  readonly what: string
}
/** A scene or a dial-in of a show. */
export type Participant = Pick<ShowAnswer['scenes'][number], 'name' | 'status' | 'reason' | 'problem'>

type Resources = 'recordings' | 'broadcasts' | 'scenes' | 'dialIns'

export interface Show
  extends ShowLine,
    Pick<
      ShowAnswer,
      | Resources
      | 'document'
      | 'start'
      | 'nextStart'
      | 'sessionId'
      | 'startedAt'
      | 'plannedEndAt'
      | 'markers'
      | 'openEnd'
      | 'stopAskedAt'
      | 'endReason'
      | 'watch'
    > {
  readonly timeline: readonly TimelineEvent[]
  readonly result?: Pick<NonNullable<ShowAnswer['result']>, Resources | 'reason'> | undefined
}

/** A show with the time at which it was read, in milliseconds since the epoch. */
export interface KnownShow extends Show {
  readonly readAt: number
}

/** An archive that waits to be published. */
export type WaitingPublish = AnswerOf<'publishing'>['items'][number]

/** A stream that is published in the session of a show. */
export type ListedStream = AnswerOf<'streams'>['items'][number]

/** An execution of a show, with the states that it has visited. */
export type ExecutionAnswer = AnswerOf<'execution'>

/** The cost of a show, counted and estimated. */
export type CostAnswer = AnswerOf<'cost'>

/** The steps of a show, its recordings and its cost. */
export type Forecast = AnswerOf<'valid'>['forecast']

/** The outcome of a check: the forecast of a valid show, or the problems of another. */
export interface CheckedShow {
  readonly forecast?: Forecast
  readonly detail?: string
  readonly problems?: readonly { readonly path: string; readonly message: string }[]
}

/** The delivery of an event to the callback of a show. */
export type ListedDelivery = AnswerOf<'deliveries'>['items'][number]

/** A participant of a show that is not live yet. */
export interface GreenRoomParticipant {
  readonly name: string
  /** True for a participant in the session. False for a participant who waits on the join page. */
  readonly hasJoined: boolean
  readonly showId?: string
  readonly sessionId?: string
}

/** The link to the join page, and the participants of shows that are not live yet. */
export interface GreenRoom {
  readonly joinUrl: string
  readonly participants: readonly GreenRoomParticipant[]
}

/** The deployment that a page is for. */
export interface Deployment {
  /** True for `npm start`, which has own participants and a join page. */
  readonly isLocal: boolean
  /** Base URL of the sandbox; only for `npm start`. */
  readonly sandboxUrl?: string
  /** Milliseconds by which Showrunner is ahead of the machine. */
  readonly ahead: number
  /** Absent for `npm start`. */
  readonly name?: string
  readonly apiUrl?: string
}

/** The time of Showrunner in milliseconds since the epoch, and by how many it is ahead of the machine's. */
export interface MovedClock {
  readonly now: number
  readonly ahead: number
}

/** A manifest with its time-limited links. */
export interface Recording
  extends Pick<
    RecordingAnswer,
    'archiveId' | 'createdAt' | 'show' | 'page' | 'status' | 'message' | 'duration' | 'video' | 'audio' | 'access'
  > {
  readonly withheld?:
    | Pick<NonNullable<RecordingAnswer['withheld']>, 'etag' | 'since' | 'differences' | 'acceptedAt'>
    | undefined
  readonly source: Pick<RecordingAnswer['source'], 'key' | 'size' | 'sha256' | 'url'>
  readonly files: readonly Pick<RecordingAnswer['files'][number], 'role' | 'key' | 'url'>[]
  /** The watch page. Its link expires after a day. */
  readonly watch: Pick<RecordingAnswer['watch'], 'url'>
}

/** A recording with the time at which its links were created, and the names that it has in its show. */
export interface KnownRecording extends Recording {
  readonly linkedAt: number
  readonly name?: string
  readonly showName?: string
}
