import { z } from 'zod'
import type { Task } from './task.ts'

export const watchShow = {
  summary: 'Look once at everything the show runs, and say whether it is over or when to look again.',
  input: z.object({ showId: z.string(), sessionId: z.string() }),
  output: z.object({
    over: z.boolean(),
    /** Why it is over, in words. */
    reason: z.string().optional(),
    /** 1 to 50: few near an expected change, many far from one. */
    waitSeconds: z.int(),
  }),
  timeout: 60,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
