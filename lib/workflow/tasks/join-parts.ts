import { z } from 'zod'
import { findOverlap } from './find-overlap.ts'
import { findParts } from './find-parts.ts'
import type { Task } from './task.ts'

export const joinParts = {
  summary:
    'Publish the parts of a recording as one, on one timeline: by copies that differ in their times, with what is between them cut anew.',
  input: findParts.output.pick({ parts: true, message: true }).extend({
    /** Of each part but the first. */
    overlaps: z.array(findOverlap.output),
  }),
  output: z.object({
    /** Null when fewer than two parts fit together. */
    joined: z.object({ archiveId: z.string(), parts: z.array(z.string()), duration: z.number() }).nullable(),
    message: z.string().nullable(),
  }),
  timeout: 900,
  memory: 1769, // one whole processor: a copy is as fast as it can be hashed and sent
  needs: ['madeFiles', 'recordings', 'manifests', 'joinedRecordings'],
} as const satisfies Task
