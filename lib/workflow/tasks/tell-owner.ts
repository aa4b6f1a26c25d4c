import { z } from 'zod'
import { ownerEvent } from '../owner-events.ts'
import type { Task } from './task.ts'

export const tellOwner = {
  summary: 'Post one event to the callback that the show names, signed.',
  input: z.object({ event: ownerEvent.required({ showId: true }) }),
  output: z.object({
    id: z.string(),
    /** `gone` when the app wants no more of them; `refused` when it will not take this one, which fails the execution. */
    outcome: z.enum(['told', 'gone', 'refused']),
    /** Of the app's answer. */
    status: z.int(),
    /** Why it was refused, in words. */
    reason: z.string().optional(),
  }),
  timeout: 30,
  needs: ['showRequests', 'callbacks'],
} as const satisfies Task
