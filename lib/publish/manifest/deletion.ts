import { z } from 'zod'
import { mediaFacts, partOfShow } from './manifest.ts'

const time = z.iso.datetime()

/** `deletions/<archive id>.json`: a deleted recording that can be restored. Delete markers hide its objects. */
export const deletion = z.object({
  version: z.literal(1),
  archiveId: z.string(),
  /** `restoring` and `purging` are final: a repeated request completes what was interrupted. */
  phase: z.enum(['deleted', 'restoring', 'purging']),
  deletedAt: time,
  /** The subject of the caller's token. */
  deletedBy: z.string().optional(),
  /** When every version and the platform's copy are deleted. */
  purgeAt: time,
  /** Prefixes of its keys. */
  places: z.array(z.string()),
  joined: z
    .object({ archiveId: z.string(), parts: z.array(z.string()).optional(), places: z.array(z.string()) })
    .optional(),
  /** Facts of its manifest; absent when it was not published. */
  createdAt: time.optional(),
  show: partOfShow.optional(),
  duration: mediaFacts.shape.duration.nullable().optional(),
  /** Bytes of the archive. */
  size: z.int().optional(),
})
export type DeletionRecord = z.output<typeof deletion>
