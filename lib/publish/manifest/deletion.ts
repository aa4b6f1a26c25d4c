import { z } from 'zod'
import { mediaFacts, partOfShow } from './manifest.ts'

const time = z.iso.datetime()

/**
 * `deletions/<archive id>.json`: a recording that was deleted and can still be restored. Its objects are covered by delete
 * markers until then.
 */
export const deletion = z.object({
  version: z.literal(1),
  archiveId: z.string(),
  /** `restoring` and `purging` are final: what was interrupted is completed in the same direction, when it is repeated. */
  phase: z.enum(['deleted', 'restoring', 'purging']),
  deletedAt: time,
  /** The subject of the caller's token. */
  deletedBy: z.string().optional(),
  /** When every version of it is deleted, with the platform's copy. */
  purgeAt: time,
  /** Prefixes of its keys: its own, and of the recording that joins it to others. */
  places: z.array(z.string()),
  joined: z
    .object({ archiveId: z.string(), parts: z.array(z.string()).optional(), places: z.array(z.string()) })
    .optional(),
  /** Facts of its manifest; absent where it was not published. */
  createdAt: time.optional(),
  show: partOfShow.optional(),
  duration: mediaFacts.shape.duration.nullable().optional(),
  /** Bytes of the archive. */
  size: z.int().optional(),
})
export type DeletionRecord = z.output<typeof deletion>
