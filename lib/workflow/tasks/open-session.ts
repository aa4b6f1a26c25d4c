import { z } from 'zod'
import type { Task } from './task.ts'

export const openSession = {
  summary: 'Create a routed session, or adopt the one the show names.',
  input: z.object({ showId: z.string() }),
  output: z.object({ sessionId: z.string() }),
  timeout: 60,
  needs: ['platform', 'showRecords', 'events'],
} as const satisfies Task
