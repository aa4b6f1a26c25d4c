import { z } from 'zod'
import type { Task } from './task.ts'

export const stopShow = {
  summary: 'Stop everything that carries the show’s tags and still runs.',
  input: z.object({ showId: z.string(), sessionId: z.string(), reason: z.string() }),
  output: z.object({ stopped: z.int(), reason: z.string() }),
  timeout: 120,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
