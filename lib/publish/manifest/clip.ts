import { z } from 'zod'

/** `recordings/<archive id>/clips/<clip id>/clip.json`: a time range of a published recording, and its MP4. */
export const clipRecord = z.object({
  version: z.literal(1),
  clipId: z.string(),
  /** The recording. */
  archiveId: z.string(),
  name: z.string(),
  /** Seconds of the recording. */
  from: z.number(),
  to: z.number(),
  createdAt: z.iso.datetime(),
  /** The subject of the token with which it was ordered. */
  createdBy: z.string().optional(),
  /** `cutting` until the MP4 is published; it can be watched by HLS in every status. */
  status: z.enum(['cutting', 'published', 'failed']),
  /** When its MP4 was published, or could not be made. */
  endedAt: z.iso.datetime().optional(),
  /** Why there is no MP4. */
  problem: z.string().optional(),
  /** The MP4. */
  file: z.object({ key: z.string(), size: z.int(), sha256: z.string() }).optional(),
})
export type ClipRecord = z.output<typeof clipRecord>

/** Clips of one recording. */
export const MAX_CLIPS = 100

/** Returns the subject of the signature of a link to a clip, which no archive id equals. */
export const clipSubject = (archiveId: string, clipId: string) => `${archiveId}/clips/${clipId}`
