import { z } from 'zod'
import { accesses, keepDays } from '../../show/document/publishing.ts'
import type { PartOfShow } from './manifest.ts'

/** The broadcast that a clip of a live show is cut from. */
const liveSource = z.object({
  showId: z.string(),
  /** Name of the broadcast. */
  broadcast: z.string(),
  /** From 1. */
  part: z.int(),
  /** Second 0 of the clip's times: when the show went live. */
  startedAt: z.iso.datetime(),
  access: z.enum(accesses),
  /** Pixels of the picture. */
  picture: z.object({ width: z.int(), height: z.int() }),
  /** Days after which the clip is deleted; null to keep it. */
  keepDays: z.literal(keepDays).nullable(),
})

/** The live show for which a clip of one of its recordings was ordered, before the recording was published. */
const queueing = z.object({
  showId: z.string(),
  /** Name of the broadcast, whose playlist could not be read. */
  broadcast: z.string(),
  /** Name of the recording, and its part from 1. */
  recording: z.string(),
  part: z.int(),
  /** Second of the show at which the recording begins. */
  offset: z.number(),
  /** Days after which the clip is deleted; null to keep it. */
  keepDays: z.literal(keepDays).nullable(),
})

/** `recordings/<archive id>/clips/<clip id>/clip.json`: a time range of a recording or a live broadcast, and its MP4. */
export const clipRecord = z.object({
  version: z.literal(1),
  clipId: z.string(),
  /** The recording; the broadcast for a clip of a live show. */
  archiveId: z.string(),
  name: z.string(),
  /** Seconds of the recording, or of the live show. */
  from: z.number(),
  to: z.number(),
  createdAt: z.iso.datetime(),
  /** The subject of the token with which it was ordered. */
  createdBy: z.string().optional(),
  /** `queued` until its recording is published, then `cutting` until the MP4 is; it can be watched by HLS except while queued. */
  status: z.enum(['queued', 'cutting', 'published', 'failed']),
  /** When its MP4 was published, or could not be made. */
  endedAt: z.iso.datetime().optional(),
  /** Why there is no MP4. */
  problem: z.string().optional(),
  /** Absent for a clip of a published recording. */
  live: liveSource.optional(),
  /** Present for a clip that was queued, in every status. */
  queued: queueing.optional(),
  /** The MP4. */
  file: z.object({ key: z.string(), size: z.int(), sha256: z.string() }).optional(),
})
export type ClipRecord = z.output<typeof clipRecord>

/** Clips of one recording. */
export const MAX_CLIPS = 100

/** Returns the subject of the signature of a link to a clip, which no archive id equals. */
export const clipSubject = (archiveId: string, clipId: string) => `${archiveId}/clips/${clipId}`

/** Name of the first playlist of a clip of a live show, beside its record. */
export const LIVE_PLAYLIST = 'index.m3u8'

/** Returns the part of a show that a clip was ordered from while it was live; undefined for a clip of a published recording. */
export function liveOriginOf({ live, queued }: ClipRecord): PartOfShow | undefined {
  if (live) return { showId: live.showId, name: live.broadcast, part: live.part }
  return queued && { showId: queued.showId, name: queued.recording, part: queued.part }
}

/** Returns true for a clip of which the owner is notified: its MP4 was published, or could not be made. */
export const hasOutcome = ({ status }: ClipRecord): boolean => status === 'published' || status === 'failed'

/** A clip of a live show. */
export type LiveClipRecord = ClipRecord & { readonly live: NonNullable<ClipRecord['live']> }

/** A clip of a recording that was ordered while its show was live. */
export type QueuedClipRecord = ClipRecord & { readonly queued: NonNullable<ClipRecord['queued']> }

/** Returns true for a clip that waits for its recording, or may have been left between that and being cut. */
export const isQueuedClip = (clip: ClipRecord): clip is QueuedClipRecord =>
  clip.queued !== undefined && (clip.status === 'queued' || clip.status === 'cutting')

export const isLiveClip = (clip: ClipRecord): clip is LiveClipRecord => clip.live !== undefined

/** Returns the time range of a clip of a live show, in milliseconds since the epoch. */
export function clockSpanOf({ live, from, to }: LiveClipRecord): { readonly from: number; readonly to: number } {
  const start = Date.parse(live.startedAt)
  return { from: start + from * 1000, to: start + to * 1000 }
}
