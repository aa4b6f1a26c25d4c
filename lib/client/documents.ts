import type { z } from 'zod'
import type { AnswerOf, ProblemDocument as Problem } from '../api/answers.ts'
import type { apiRoutes, RouteKey } from '../api/api.ts'
import type { controls } from '../api/controls.ts'
import type { ProblemType as Type } from '../api/problem-types.ts'

/** The types of what the API receives and answers, as its schemas define them. */

type Body<Key extends RouteKey> = (typeof apiRoutes)[Key] extends { body: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : never

type ControlBody<Name extends keyof typeof controls> = z.input<(typeof controls)[Name]['body']>

/** A show to start: its recordings, broadcasts and times. Durations are in seconds. */
export type ShowDocument = Body<'POST /shows'>
/** Changes of a live show. */
export type ShowChange = ControlBody<'change'>
/** The participant that a token admits. */
export type TokenOrder = Body<'POST /shows/{id}/tokens'>
/** The participant that an invitation admits. */
export type InvitationOrder = Body<'POST /shows/{id}/invitations'>
/** An invitation that is exchanged for a token. */
export type JoinOrder = Body<'POST /public/join'>
/** A signal to participants. */
export type Signal = ControlBody<'signal'>
/** The streams to mute. */
export type Mute = ControlBody<'mute'>
/** The layout classes of streams. */
export type LayoutClasses = ControlBody<'layoutClasses'>
/** Tones to play. */
export type Tones = ControlBody<'tones'>
/** The connection to close. */
export type Disconnection = ControlBody<'disconnect'>
/** A call into the session. */
export type DialIn = ControlBody<'dialIn'>
/** A live stream to viewers. */
export type Broadcast = ControlBody<'broadcast'>
/** A title at a time of a live show. */
export type Marker = ControlBody<'marker'>
/** A moment of a recording, to be cut out. */
export type ClipOrder = Body<'POST /recordings/{archiveId}/clips'>
/** A clip of a live show to create. */
export type ShowClipOrder = Body<'POST /shows/{id}/clips'>
/** The withheld file that is accepted or rejected. */
export type WithheldFile = Body<'POST /recordings/{archiveId}/accept'>
/** The formats to make again. */
export type RebuildOrder = Body<'POST /recordings/{archiveId}/rebuild'>

/** The id and the status of a show that was accepted. */
export type AcceptedShow = AnswerOf<'accepted'>
/** A valid show with all defaults. */
export type ValidShow = AnswerOf<'valid'>
/** The state of a show and, once it has ended, its result. */
export type Show = AnswerOf<'show'>
/** An item of the list of shows. */
export type ShowSummary = AnswerOf<'shows'>['items'][number]
/** The streams that are published in the session of a show. */
export type SessionStreams = AnswerOf<'streams'>
/** The owner events of a show, and the cursor behind them. */
export type ShowEvents = AnswerOf<'events'>
/** An execution of a show, and the states that it has visited. */
export type ShowExecution = AnswerOf<'execution'>
/** The execution that was redriven. */
export type Redrive = AnswerOf<'redriven'>
/** The cost of a show on AWS so far, and its estimate. */
export type ShowCost = AnswerOf<'cost'>
/** The deliveries of a show's events to its callback. */
export type Deliveries = AnswerOf<'deliveries'>
/** The delivery that is replayed. */
export type Replay = AnswerOf<'replayed'>
/** The id and the status of a show that was unscheduled. */
export type UnscheduledShow = AnswerOf<'unscheduled'>
/** A control that was carried out, and its entries in the timeline of the show. */
export type Control = AnswerOf<'control'>
/** A client token for one participant. */
export type ClientToken = AnswerOf<'token'>
/** An invitation to a show. */
export type Invitation = AnswerOf<'invitation'>
/** The time at which the invitations to a show were revoked. */
export type RevokedInvitations = AnswerOf<'uninvited'>
/** A client token, and the show that it is for. */
export type Admission = AnswerOf<'joined'>
/** The published files of an archive, with links. */
export type Recording = AnswerOf<'recording'>
/** A recording that was deleted and can still be restored. */
export type DeletedRecording = Exclude<AnswerOf<'recordings'>['items'][number], Recording>
/** A public recording. */
export type PublicRecording = AnswerOf<'publicRecording'>
/** The outcome of a deletion. */
export type Deletion = AnswerOf<'deleted'>
/** The outcome of a restoration. */
export type Restoration = AnswerOf<'restored'>
/** The languages of a recording's captions. */
export type Captions = AnswerOf<'captioned'>
/** The outcome for a withheld file. */
export type Judgement = AnswerOf<'judged'>
/** The recordings whose links were revoked. */
export type Revocation = AnswerOf<'revoked'>
/** A publication that was started again. */
export type Rebuild = AnswerOf<'rebuilding'>
/** A clip of a recording, with links. */
export type Clip = AnswerOf<'clip'>
/** The archives that wait to be published. */
export type WaitingPublishes = AnswerOf<'publishing'>
/** The clips of a recording. */
export type Clips = AnswerOf<'clips'>
/** A clip that was deleted. */
export type DeletedClip = AnswerOf<'deletedClip'>
/** A clip of a live show, with links. */
export type ShowClip = AnswerOf<'showClip'>
/** The clips of a live show. */
export type ShowClips = AnswerOf<'showClips'>
/** A clip of a live show that was deleted. */
export type DeletedShowClip = AnswerOf<'deletedShowClip'>
/** The quality of the streams of a show. */
export type Quality = AnswerOf<'quality'>
/** The usage of some days. */
export type Usage = AnswerOf<'usage'>
/** The public keys that verify events (RFC 7517). */
export type EventKeys = AnswerOf<'callbackKeys'>

/** The name of a problem's type: a section of docs/problems.md. */
export type ProblemType = Type
/** A problem document (RFC 9457). */
export type ProblemDocument = Problem
