import { z } from 'zod'
import { archiveStatuses } from '../platform/contract/archives.ts'
import { broadcastStatuses } from '../platform/contract/broadcasts.ts'
import { show } from './show.ts'

/** Where a show is: the last three are terminal. */
const showStatuses = ['scheduled', 'starting', 'waiting', 'live', 'ending', 'succeeded', 'failed', 'stopped'] as const

const time = z.iso.datetime()

/** `shows/<id>/request.json`: what was asked for; written once. */
export const showRequest = z.object({ version: z.literal(1), showId: z.string(), acceptedAt: time, show })
export type ShowRequest = z.output<typeof showRequest>

const recordingState = z.object({
  name: z.string(),
  tag: z.string(),
  archiveId: z.string().optional(),
  createdAt: time.optional(),
  /** The platform's status when last seen. */
  status: z.enum(archiveStatuses).optional(),
  /** Why it could not be started. */
  problem: z.string().optional(),
})
export type RecordingState = z.output<typeof recordingState>

const broadcastState = z.object({
  name: z.string(),
  tag: z.string(),
  broadcastId: z.string().optional(),
  createdAt: time.optional(),
  status: z.enum([...broadcastStatuses, 'live']).optional(),
  /** URL of the live playlist. */
  hls: z.string().optional(),
  problem: z.string().optional(),
})

/** What can happen in a show, as its timeline and its events name it. */
const happenings = [
  'session.opened',
  'upload.targetSet',
  'audience.present',
  'recording.started',
  'recording.failed',
  'broadcast.started',
  'broadcast.failed',
  'show.ending',
  'recording.arrived',
  'recording.rescued',
  'show.ended',
] as const

const timelineEntry = z.object({
  at: time,
  what: z.enum(happenings),
  /** Name of the recording or broadcast it is about. */
  name: z.string().optional(),
})
export type TimelineEntry = z.output<typeof timelineEntry>

/** `shows/<id>/state.json`: how far the show has come; rewritten by the tasks as they go. */
export const showState = z.object({
  version: z.literal(1),
  showId: z.string(),
  name: z.string(),
  status: z.enum(showStatuses),
  acceptedAt: time,
  sessionId: z.string().optional(),
  /** When the earliest archive or broadcast was created, by the platform's clock. */
  liveAt: time.optional(),
  plannedEndAt: time.optional(),
  endedAt: time.optional(),
  /** Why it ended, in words. */
  endReason: z.string().optional(),
  recordings: z.array(recordingState),
  broadcasts: z.array(broadcastState),
  /** In the order in which it was noticed. */
  timeline: z.array(timelineEntry),
})
export type ShowState = z.output<typeof showState>

const recordingResult = recordingState.extend({
  reason: z.string().optional(),
  key: z.string().optional(),
  size: z.int().optional(),
  duration: z.int().optional(),
  /** Whether Showrunner fetched it from the platform's own cloud, since its upload had failed. */
  rescued: z.boolean().optional(),
  /** Why there is no file, in words; absent when its bytes are in the bucket. */
  lost: z.string().optional(),
})
export type RecordingResult = z.output<typeof recordingResult>

/** `shows/<id>/result.json`: how it ended; written once. */
export const showResult = z.object({
  version: z.literal(1),
  showId: z.string(),
  name: z.string(),
  status: z.enum(showStatuses).extract(['succeeded', 'failed', 'stopped']),
  /** One sentence. */
  reason: z.string(),
  sessionId: z.string().optional(),
  acceptedAt: time,
  liveAt: time.optional(),
  endedAt: time.optional(),
  reportedAt: time,
  recordings: z.array(recordingResult),
  broadcasts: z.array(broadcastState),
  timeline: z.array(timelineEntry),
})
export type ShowResult = z.output<typeof showResult>

const fileRoles = ['poster'] as const

/** One published file of a recording; `sha256` is lowercase hex, null while pending. */
export const publishedFile = z.object({
  role: z.enum(fileRoles),
  key: z.string(),
  size: z.int(),
  sha256: z.string().nullable(),
})

/** What a file turned out to hold; the same facts as in the manifest. */
export const mediaFacts = z.object({
  /** Fractional seconds. */
  duration: z.number(),
  video: z.object({ codec: z.string(), width: z.int(), height: z.int(), frameRate: z.number() }).nullable(),
  audio: z.object({ codec: z.string(), sampleRate: z.int(), channels: z.int() }).nullable(),
})

/** `recordings/<archive id>/manifest.json`: what was published of an archive. */
export const manifest = z.object({
  version: z.literal(1),
  archiveId: z.string(),
  /** When the archive was created; where the platform did not say so, when it was first published. */
  createdAt: time,
  status: z.enum(['ready', 'complete', 'failed']),
  /** What a person should know: why it failed, or where the file differs from the platform's record. */
  message: z.string().optional(),
  source: z.object({ key: z.string(), size: z.int(), sha256: z.string().nullable() }),
  ...mediaFacts.shape,
  files: z.array(publishedFile),
})
export type Manifest = z.output<typeof manifest>
