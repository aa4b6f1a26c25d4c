import { z } from 'zod'
import { ownerEvent } from '../owner-events.ts'
import type { Task } from './task.ts'

export const tellOwner = {
  summary: 'Post one event to the callback that the show names, signed.',
  input: z.object({ event: ownerEvent.required({ showId: true }) }),
  output: z.object({ id: z.string(), outcome: z.enum(['told', 'gone', 'refused']), status: z.int().optional() }),
  timeout: 30,
  needs: ['showRequests', 'callbacks'],
} as const satisfies Task
