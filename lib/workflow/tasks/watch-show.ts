import { z } from 'zod'
import type { Task } from './task.ts'

export const watchShow = {
  summary: 'Look once at everything the show runs, and say whether it is over or when to look again.',
  input: z.object({ showId: z.string(), sessionId: z.string() }),
  output: z.object({
    over: z.boolean(),
    /** Why it is over, in words. */
    reason: z.string().optional(),
    /** Soon near an expected change, at most 50 s away far from one; exactly the planned end when that is next. */
    nextLookAt: z.iso.datetime(),
  }),
  timeout: 60,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
