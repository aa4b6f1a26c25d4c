import { z } from 'zod'
import type { Task } from './task.ts'

export const startDialIn = {
  summary: 'Call one telephone into the session, once: a call whose answer was lost is not repeated.',
  input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
  output: z.object({ name: z.string(), outcome: z.enum(['dialed', 'unknown']) }),
  timeout: 60,
  needs: ['platform', 'showRecords', 'showSecrets'],
} as const satisfies Task
