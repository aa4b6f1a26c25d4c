import { z } from 'zod'
import { pendingChanges } from '../document/orders/changes.ts'
import { pauseRequest } from './pause-request.ts'
import { requestedMarker } from './requested-marker.ts'
import { broadcastState, dialInState, recordingState, sceneState } from './resources.ts'
import { timelineEntry } from './timeline.ts'

const time = z.iso.datetime()

/** Statuses of a show that is over, in its state and its result. */
export const terminalStatuses = ['succeeded', 'failed', 'stopped', 'cancelled', 'degraded'] as const

export const showStatuses = ['scheduled', 'starting', 'waiting', 'live', 'ending', ...terminalStatuses] as const
export type ShowStatus = (typeof showStatuses)[number]

export const isTerminal = (status: string): boolean => terminalStatuses.some((one) => one === status)

/** A control: a request to a show while it runs. */
const control = z.object({
  /** Derived from caller and Idempotency-Key, so that a repeated request is carried out once. */
  id: z.string(),
  at: time,
  /** SHA-256 of the request, in lower-case hexadecimal. */
  request: z.string(),
  /** Id of the call that carries it out, which distinguishes repetitions. */
  callId: z.string(),
  /** The subject of the caller's token. */
  by: z.string().optional(),
  /** True once it was carried out. An interrupted one is carried out when it is requested again. */
  done: z.boolean(),
  /** Changes that are left after the request, which the watch machine continues. */
  pending: pendingChanges.optional(),
})
export type Control = z.output<typeof control>

/** `shows/<id>/state.json`: progress and controls, replaced by tasks and API only if it was not replaced since it was read. */
export const showState = z.object({
  version: z.literal(1),
  showId: z.string(),
  name: z.string(),
  status: z.enum(showStatuses),
  acceptedAt: time,
  /** The recurring show that started it. */
  scheduleId: z.string().optional(),
  /** The subject of the token with which it was posted. */
  acceptedBy: z.string().optional(),
  /** When its document was last replaced, while it was scheduled. */
  editedAt: time.optional(),
  /** The subject of the token with which it was. */
  editedBy: z.string().optional(),
  /** The document that replaced that of the request. */
  edit: z.string().optional(),
  /** Number of revocations of its invitations. @default 0 */
  invitationEpoch: z.int().optional(),
  /** True until its schedule has the start of the document that replaced the former one. */
  rescheduling: z.boolean().optional(),
  /** When its execution started. */
  startedAt: time.optional(),
  /** Name of its execution, if that is not the show's id. */
  executionName: z.string().optional(),
  /** When the secrets of a scheduled show were last checked, after it was posted. */
  secretsCheckedAt: time.optional(),
  /** The references that could not be used then. */
  invalidSecrets: z.array(z.string()).optional(),
  /** The times of the starts of a series with a `count`, which were claimed before they began. */
  starts: z.array(time).optional(),
  /** The newest shows that a series has started, the oldest first. */
  occurrences: z.array(z.string()).optional(),
  /** Why the show waits before it starts; absent if it does not. */
  waitsFor: z.string().optional(),
  sessionId: z.string().optional(),
  /** When the earliest archive or broadcast was created, by the platform's clock. */
  liveAt: time.optional(),
  /** The latest end of a show with an open end. Users can move it. */
  plannedEndAt: time.optional(),
  /** True if the show ends once its participants have left: its end is unknown before. Absent before it is live. */
  openEnd: z.boolean().optional(),
  /** True once a participant of a show with an open end was seen publishing. Before, the show is not empty but waits. */
  participantSeen: z.boolean().optional(),
  /** Since when no participant of a show with an open end publishes; absent while one does, and before one has. */
  emptySince: time.optional(),
  /** The last observation of that. */
  emptySeenAt: time.optional(),
  /** When a stop was requested: nothing is started afterwards. */
  stopAskedAt: time.optional(),
  endedAt: time.optional(),
  endReason: z.string().optional(),
  /** True if no participant connected in time, although the platform could be asked. */
  unattended: z.boolean().optional(),
  /** True if it ended because its execution failed. */
  gaveUp: z.boolean().optional(),
  recordings: z.array(recordingState),
  broadcasts: z.array(broadcastState),
  scenes: z.array(sceneState),
  dialIns: z.array(dialInState),
  controls: z.array(control),
  /** Requests to pause or resume recordings, in order. Planned pauses are in the show document. */
  pauses: z.array(pauseRequest).optional(),
  /** Requested markers, in the order of the requests. Planned ones are in the show document. */
  markers: z.array(requestedMarker).optional(),
  /** When the app answered that it wants no more callbacks of this show. */
  callbackGoneAt: time.optional(),
  /** Number of executions that the sweep started to close the show. */
  closings: z.int(),
  /** In the order of noticing. */
  timeline: z.array(timelineEntry),
})
export type ShowState = z.output<typeof showState>
