import { z } from 'zod'
import type { TimelineEventType } from '../show/state/timeline.ts'

/** Source of the owner events on the stack's own bus. */
export const OWNER_EVENT_SOURCE = 'showrunner'

/** Events that the owner of a show is notified of, on the event bus and by the show's callback. */
export const ownerEventKinds = [
  'secret.invalid',
  'session.opened',
  'recording.started',
  'broadcast.live',
  'recording.paused',
  'recording.resumed',
  'recording.failed',
  'output.failed',
  'output.recovered',
  'recording.published',
  'clip.published',
  'show.ended',
] as const

export type OwnerEventKind = (typeof ownerEventKinds)[number]

/** Returns whether a timeline event notifies the owner. The publish machine notifies of a published recording. */
export const isOwnerEventKind = (what: TimelineEventType): what is TimelineEventType & OwnerEventKind =>
  (ownerEventKinds as readonly string[]).includes(what)

/** One event: the `detail` on the bus, and the body of a callback. */
export const ownerEvent = z.object({
  /** To deduplicate by: a repeated event has the same id. */
  id: z.string(),
  event: z.enum(ownerEventKinds),
  at: z.iso.datetime(),
  /** The deployment's stage; absent in events of earlier versions. */
  stage: z.string().optional(),
  /** Absent for a recording that no show started. */
  showId: z.string().optional(),
  name: z.string().optional(),
  /** From 1. */
  part: z.int().optional(),
  /** Id of an output within its broadcast. */
  output: z.string().optional(),
  sessionId: z.string().optional(),
  archiveId: z.string().optional(),
  /** Of the recording with this archive id. */
  clipId: z.string().optional(),
  /** URL of a playlist that can be played. */
  hls: z.string().optional(),
  /** Final status of the show, or status of the published recording or clip. */
  status: z.string().optional(),
  reason: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
})
export type OwnerEvent = z.output<typeof ownerEvent>
