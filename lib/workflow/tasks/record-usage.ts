import { z } from 'zod'
import type { Task } from './task.ts'

export const recordUsage = {
  summary: 'Ask Insights what shows and days have used, once they can tell, and store it.',
  /** A scheduled event. */
  input: z.unknown(),
  output: z.object({
    /** Shows and dates of which something was stored. */
    shows: z.array(z.string()),
    days: z.array(z.string()),
  }),
  timeout: 300,
  needs: ['platform', 'insights', 'showStates', 'usageRecording'],
} as const satisfies Task
