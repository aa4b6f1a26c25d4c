import { z } from 'zod'

/** The object that a publish execution works on. Reads fail once it has been replaced. */
export const arrival = z.object({ bucket: z.string(), key: z.string(), etag: z.string() })

/** A time range of a recording that one worker processes, in seconds. It begins at a keyframe. */
export const piece = z.object({ index: z.int().min(0), start: z.number(), end: z.number() })

/** The input that most publishing tasks have in common; `keepDays` is null for a recording that is kept permanently. */
export const publishTaskInput = arrival.extend({ archiveId: z.string(), keepDays: z.int().nullable() })

/** A title at a time of a recording, in seconds. It may be before the start or after the end of a part. */
export const marker = z.object({ at: z.number(), title: z.string() })
export type Marker = z.output<typeof marker>

export const ffmpeg = z.string()
