import { z } from 'zod'
import { publishedFile } from '../documents/manifest.ts'
import { arrival } from '../source.ts'
import type { Task } from './task.ts'

export const assembleComposite = {
  summary: 'Join the pieces of a composite and its sound to one MP4, by copy, with its index in front.',
  input: arrival.extend({
    archiveId: z.string(),
    keepDays: z.int().nullable(),
    /** What Compose piece and Mix audio have given. */
    edition: z.string(),
    pieces: z.int().min(1).max(1000),
    hasAudio: z.boolean(),
  }),
  output: z.object({
    files: z.array(publishedFile),
    /** The composite as an object that can be published on, as one that arrived. */
    composite: arrival,
  }),
  timeout: 900,
  memory: 1024,
  needs: ['archives', 'recordings', 'madeFiles'],
} as const satisfies Task
