import { z } from 'zod'
import type { Task } from './task.ts'

/** Two parts of a recording, by their archives. */
export const overlapping = z.object({
  earlier: z.string(),
  later: z.string(),
  /**
   * Seconds of the earlier one at which the later one should begin: by the time from one creation to the other, and, where it
   * is known when the earlier one was stopped, back from its end, since a recording that was paused is shorter.
   */
  expected: z.array(z.number()).min(1),
})

export const findOverlap = {
  summary: 'Find where one part of a recording begins within the part before it, by what both have recorded.',
  input: overlapping,
  output: z.object({
    /** Seconds of the earlier part. */
    shift: z.number(),
    /** From 0 to 1; null when it was not found, and the shift is the one that was expected. */
    confidence: z.number().nullable(),
  }),
  timeout: 300,
  memory: 1024,
  needs: ['madeFiles', 'ffmpeg'],
} as const satisfies Task
