import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { broadcastStatuses, hlsStatuses, rtmpStatuses } from '../../platform/contract/broadcasts.ts'
import { composerStatuses } from '../../platform/contract/composers.ts'
import { orOther } from '../../platform/contract/open-values.ts'
import { broadcastOrder } from '../document/broadcast.ts'
import { dialInOrder } from '../document/dial-in.ts'
import { orderedLayout } from '../document/picture.ts'

const time = z.iso.datetime()

/** One part of a recording: one archive. */
export const recordingState = z.object({
  name: z.string(),
  /** From 1. */
  part: z.int(),
  tag: z.string(),
  archiveId: z.string().optional(),
  /** By the platform's clock. */
  createdAt: time.optional(),
  /** The platform's status when last seen. */
  status: orOther(archiveStatuses).optional(),
  /** Why it ended, as the platform says it. */
  reason: z.string().optional(),
  /** When Showrunner stopped it, because the next part runs. */
  stoppedAt: time.optional(),
  /** Whether Showrunner fetched it from the platform's own cloud, since its upload had failed. */
  rescued: z.boolean().optional(),
  /** When that was last begun. */
  rescueAt: time.optional(),
  /** How often that was begun since the show has ended. */
  rescueTries: z.int().optional(),
  /** Why it could not be started. */
  problem: z.string().optional(),
  /** Asked for while it ran: the parts after it begin with it. */
  layout: orderedLayout.optional(),
})
export type RecordingState = z.output<typeof recordingState>

/** One RTMP server of a broadcast; stream keys appear nowhere. */
const outputState = z.object({ id: z.string(), status: orOther(rtmpStatuses) })

/** One part of a broadcast. */
export const broadcastState = z.object({
  name: z.string(),
  /** From 1. */
  part: z.int(),
  tag: z.string(),
  broadcastId: z.string().optional(),
  createdAt: time.optional(),
  status: orOther([...broadcastStatuses, 'live']).optional(),
  /** URL of the live playlist. */
  hls: z.string().optional(),
  hlsStatus: orOther(hlsStatuses).optional(),
  rtmp: z.array(outputState).optional(),
  problem: z.string().optional(),
  /** Asked for while it ran: the parts after it begin with it. */
  layout: orderedLayout.optional(),
  /** Of one that was added while the show ran, and so stands in no request. */
  order: broadcastOrder.optional(),
})
export type BroadcastState = z.output<typeof broadcastState>

/** One scene: a composer. */
export const sceneState = z.object({
  name: z.string(),
  /** When the platform was last asked for a composer, until that is noted or has failed. */
  askedAt: time.optional(),
  composerId: z.string().optional(),
  createdAt: time.optional(),
  status: orOther(composerStatuses).optional(),
  /** Why it ended, as the platform says it. */
  reason: z.string().optional(),
  /** Of the stream that it publishes. */
  streamId: z.string().optional(),
  problem: z.string().optional(),
})
export type SceneState = z.output<typeof sceneState>

/** One dial-in: a SIP call. */
export const dialInState = z.object({
  name: z.string(),
  /** When the platform was asked to dial, which happens once. */
  askedAt: time.optional(),
  /** By which call, until its answer is there: tells the call's own write, repeated after a lost answer, from another's. */
  askedBy: z.string().optional(),
  /** `unknown` when it was asked and its answer was lost. */
  status: z.enum(['dialed', 'unknown', 'ended']).optional(),
  callId: z.string().optional(),
  connectionId: z.string().optional(),
  streamId: z.string().optional(),
  /** When the platform was asked to play its tones, which happens once. */
  tonesAskedAt: time.optional(),
  /** The call that asked for them: distinguishes its own write, repeated after a lost answer, from another's. */
  tonesAskedBy: z.string().optional(),
  /** `unknown` when the platform's answer was lost. */
  tones: z.enum(['played', 'unknown', 'failed']).optional(),
  problem: z.string().optional(),
  /** Of one that was added while the show ran, and so stands in no request. */
  order: dialInOrder.optional(),
})
export type DialInState = z.output<typeof dialInState>
