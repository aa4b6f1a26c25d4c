import { z } from 'zod'

/** Types of the events in a show's timeline. */
export const timelineEventTypes = [
  'secret.invalid',
  'session.opened',
  'upload.targetSet',
  'scene.started',
  'scene.failed',
  'scene.ended',
  'dialIn.started',
  'dialIn.failed',
  'dialIn.unknown',
  'dialIn.ended',
  'dialIn.tonesPlayed',
  'dialIn.tonesUnknown',
  'dialIn.tonesFailed',
  'audience.present',
  'recording.started',
  'recording.failed',
  'recording.paused',
  'recording.resumed',
  'recording.arrived',
  'recording.rescued',
  'broadcast.started',
  'broadcast.live',
  'broadcast.failed',
  'output.live',
  'output.failed',
  'output.reconnecting',
  'output.recovered',
  'announcement.sent',
  'announcement.failed',
  'cue.signal',
  'cue.layout',
  'cue.failed',
  'control.stop',
  'control.duration',
  'control.layout',
  'control.streams',
  'control.signal',
  'control.mute',
  'control.layoutClasses',
  'control.tones',
  'control.disconnect',
  'control.dialIn',
  'control.broadcast',
  'control.stopBroadcast',
  'control.pause',
  'control.resume',
  'control.marker',
  'show.closing',
  'show.ending',
  'show.ended',
] as const

export type TimelineEventType = (typeof timelineEventTypes)[number]

export const timelineEntry = z.object({
  /** When it was noticed. */
  at: z.iso.datetime(),
  what: z.enum(timelineEventTypes),
  name: z.string().optional(),
  /** Part of the recording or broadcast, from 1. */
  part: z.int().optional(),
  /** Distinguishes events of the same type: a control's id, an output's id, a secret. */
  id: z.string().optional(),
  /** Number of this event among those with the same type, name, part and id, from 2. Absent for the first. */
  occurrence: z.int().min(2).optional(),
  /** The caller who asked for it, by the subject of the token. */
  by: z.string().optional(),
  /** Details for users. */
  detail: z.string().optional(),
})
export type TimelineEntry = z.output<typeof timelineEntry>
