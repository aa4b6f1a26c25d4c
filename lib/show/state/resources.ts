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
  /** On the platform's clock. */
  createdAt: time.optional(),
  /** The last observed status. */
  status: orOther(archiveStatuses).optional(),
  /** The platform's reason for the end. */
  reason: z.string().optional(),
  /** When Showrunner stopped the part because the next one runs. */
  stoppedAt: time.optional(),
  /** Of the file, once it has arrived in the bucket. */
  key: z.string().optional(),
  /** True if Showrunner fetched the file from the platform's cloud after a failed upload. */
  rescued: z.boolean().optional(),
  /** Start of the last attempt to rescue the file. */
  rescueAt: time.optional(),
  /** Number of attempts to rescue the file since the end of the show. */
  rescueTries: z.int().optional(),
  /** Why the part could not be started. */
  problem: z.string().optional(),
  /** Layout that was set while the part ran: the next parts start with it. */
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
  /** When it was asked to stop: no part of it is started any more. */
  stopAskedAt: time.optional(),
  problem: z.string().optional(),
  /** Layout that was set while the part ran: the next parts start with it. */
  layout: orderedLayout.optional(),
  /** The order, if it was added while the show ran and so is not in the request. */
  order: broadcastOrder.optional(),
})
export type BroadcastState = z.output<typeof broadcastState>

export const sceneState = z.object({
  name: z.string(),
  /** When the platform was last asked for a composer; absent once the answer is noted. */
  askedAt: time.optional(),
  composerId: z.string().optional(),
  createdAt: time.optional(),
  status: orOther(composerStatuses).optional(),
  /** The platform's reason for the end. */
  reason: z.string().optional(),
  /** Id of the stream that the scene publishes. */
  streamId: z.string().optional(),
  problem: z.string().optional(),
})

/** One dial-in: a SIP call. */
export const dialInState = z.object({
  name: z.string(),
  /** When the platform was asked to dial, which is done once. */
  askedAt: time.optional(),
  /** The call that asked, until it is answered: distinguishes its own write, repeated after a lost answer, from another's. */
  askedBy: z.string().optional(),
  /** `unknown` if the answer was lost. */
  status: z.enum(['dialed', 'unknown', 'ended']).optional(),
  callId: z.string().optional(),
  connectionId: z.string().optional(),
  streamId: z.string().optional(),
  /** When the platform was asked to play the tones, which is done once. */
  tonesAskedAt: time.optional(),
  /** The call that asked for the tones: distinguishes its own write, repeated after a lost answer, from another's. */
  tonesAskedBy: z.string().optional(),
  /** `unknown` if the answer was lost. */
  tones: z.enum(['played', 'unknown', 'failed']).optional(),
  problem: z.string().optional(),
  /** The order, if it was added while the show ran and so is not in the request. */
  order: dialInOrder.optional(),
})
export type DialInState = z.output<typeof dialInState>
