import { z } from 'zod'
import type { TimelineEventType } from '../show/state/timeline.ts'

/** Source of the owner events on the stack's own bus. */
export const OWNER_EVENT_SOURCE = 'showrunner'

/** What the owner of a show is notified of, on the event bus and by the callback that the show names. */
export const ownerEventKinds = [
  'session.opened',
  'recording.started',
  'broadcast.live',
  'recording.failed',
  'recording.published',
  'show.ended',
] as const

export type OwnerEventKind = (typeof ownerEventKinds)[number]

/** Whether what has happened is told; a published recording is told by the workflow that publishes it. */
export const isOwnerEventKind = (what: TimelineEventType): what is TimelineEventType & OwnerEventKind =>
  (ownerEventKinds as readonly string[]).includes(what)

/** One event, as it stands on the bus (`detail`) and in a callback's body. */
export const ownerEvent = z.object({
  /** To deduplicate by: the same event told twice has the same id. */
  id: z.string(),
  event: z.enum(ownerEventKinds),
  at: z.iso.datetime(),
  /** The deployment's stage; absent in events of deployments before it was sent. */
  stage: z.string().optional(),
  /** Absent for a recording that no show started. */
  showId: z.string().optional(),
  /** Of the recording or broadcast it is about. */
  name: z.string().optional(),
  /** From 1. */
  part: z.int().optional(),
  sessionId: z.string().optional(),
  archiveId: z.string().optional(),
  /** URL of a playlist that can be played. */
  hls: z.string().optional(),
  /** How the show ended, or whether the recording was published. */
  status: z.string().optional(),
  /** In words: why it failed or ended. */
  reason: z.string().optional(),
  /** The app's own words, from the request. */
  labels: z.record(z.string(), z.string()).optional(),
})
export type OwnerEvent = z.output<typeof ownerEvent>
