import { z } from 'zod'
import { show } from '../show.ts'
import type { Task } from './task.ts'

export const openSession = {
  summary: 'Create a routed session, or adopt the one the show names.',
  input: z.object({ showId: z.string(), session: show.shape.session }),
  output: z.object({ sessionId: z.string() }),
  timeout: 60,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
