import { z } from 'zod'

/** The object a publish execution works on; reads fail when it has been replaced since. */
export const arrival = z.object({ bucket: z.string(), key: z.string(), etag: z.string() })

/** A stretch of a recording that one worker takes, in seconds; it begins at a keyframe. */
export const piece = z.object({ index: z.int().min(0), start: z.number(), end: z.number() })
