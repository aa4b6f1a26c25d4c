import { z } from 'zod'
import { stateError } from '../failures.ts'
import type { Task } from './task.ts'

export const stopShow = {
  summary: 'Stop everything that carries the show’s tags and still runs.',
  input: z.object({
    showId: z.string(),
    sessionId: z.string(),
    reason: z.string().nullable(),
    failure: stateError.nullable(),
  }),
  output: z.object({ stopped: z.int() }),
  timeout: 120,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
