import { z } from 'zod'
import { pendingChanges } from '../document/orders/changes.ts'
import { broadcastState, dialInState, recordingState, sceneState } from './resources.ts'
import { timelineEntry } from './timeline.ts'

const time = z.iso.datetime()

/** Where a show ends: its result says the same. */
export const terminalStatuses = ['succeeded', 'failed', 'stopped'] as const

/** Where a show is. */
const showStatuses = ['scheduled', 'starting', 'waiting', 'live', 'ending', ...terminalStatuses] as const
export type ShowStatus = (typeof showStatuses)[number]

/** Whether a show with this status is over for good. */
export const isTerminal = (status: string): boolean => terminalStatuses.some((one) => one === status)

/** Something asked of a show while it runs. */
const control = z.object({
  /** Derived from caller and Idempotency-Key: the same one asked twice is done once. */
  id: z.string(),
  at: time,
  /** SHA-256 of what was asked, in lower-case hexadecimal. */
  request: z.string(),
  /** Of the call that carries it out: tells it from a repetition. */
  callId: z.string(),
  /** The subject of the caller's token. */
  by: z.string().optional(),
  /** Whether it has been carried out: one that broke off is carried out when it is asked again. */
  done: z.boolean(),
  /** What is left of it after the request that asked for it: the watch machine does that. */
  pending: pendingChanges.optional(),
})
export type Control = z.output<typeof control>

/**
 * `shows/<id>/state.json`: how far the show has come and what is asked of it; tasks and API rewrite it as they go, each on
 * the condition that nobody else has done so since it was read.
 */
export const showState = z.object({
  version: z.literal(1),
  showId: z.string(),
  name: z.string(),
  status: z.enum(showStatuses),
  acceptedAt: time,
  /** The subject of the token with which it was posted. */
  acceptedBy: z.string().optional(),
  /** When its execution began. */
  startedAt: time.optional(),
  /** Of its execution, where that is not the show's id. */
  executionName: z.string().optional(),
  /** Why it has to wait before it begins, in words; absent otherwise. */
  waitsFor: z.string().optional(),
  sessionId: z.string().optional(),
  /** When the earliest archive or broadcast was created, by the platform's clock. */
  liveAt: time.optional(),
  /** Moved by whoever extends or shortens the show. */
  plannedEndAt: time.optional(),
  /** When somebody asked it to stop: nothing is started from then on. */
  stopAskedAt: time.optional(),
  endedAt: time.optional(),
  /** Why it ended, in words. */
  endReason: z.string().optional(),
  /** Whether it ended because its execution gave up. */
  gaveUp: z.boolean().optional(),
  recordings: z.array(recordingState),
  broadcasts: z.array(broadcastState),
  scenes: z.array(sceneState),
  dialIns: z.array(dialInState),
  controls: z.array(control),
  /** When the app answered that it wants no more callbacks of this show: it gets none from then on. */
  callbackGoneAt: time.optional(),
  /** How often the sweep has had to end what an execution left behind. */
  closings: z.int(),
  /** In the order in which it was noticed. */
  timeline: z.array(timelineEntry),
})
export type ShowState = z.output<typeof showState>
