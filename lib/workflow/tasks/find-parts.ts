import { z } from 'zod'
import { overlapping } from './find-overlap.ts'
import type { Task } from './task.ts'

export const findParts = {
  summary: 'Find the parts of a recording that rolled over, as far as they are published, from the first on.',
  input: z.object({ archiveId: z.string() }),
  output: z.object({
    /** Their archives in order; none when there is nothing to join. */
    parts: z.array(z.string()),
    /** Each part but the first with the one before it. */
    pairs: z.array(overlapping),
    /** What a person should know of parts that are left out. */
    message: z.string().nullable(),
  }),
  timeout: 60,
  needs: ['showStates', 'madeFiles'],
} as const satisfies Task
