import { z } from 'zod'
import { stranded } from './rescue-archive.ts'
import { partsPlan } from './roll-over.ts'
import type { Task } from './task.ts'

export const watchShow = {
  summary: 'Look once at everything the show runs, and say whether it is over, what is due, and when to look again.',
  input: z.object({ showId: z.string(), sessionId: z.string() }),
  output: z.object({
    over: z.boolean(),
    /** Why it is over, in words. */
    reason: z.string().optional(),
    /** The parts that have to begin or end now; null when there are none. */
    due: partsPlan.nullable(),
    /** What has to be fetched now: after 72 hours the platform deletes it. */
    stranded: z.array(stranded),
    /** Soon near an expected change, at most 50 s away far from one; exactly the planned end when that is next. */
    nextLookAt: z.iso.datetime(),
  }),
  timeout: 60,
  needs: ['platform', 'showRecords', 'events'],
} as const satisfies Task
