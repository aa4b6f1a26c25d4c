import { z } from 'zod'
import { stateError } from '../failures.ts'
import type { Task } from './task.ts'

export const stopShow = {
  summary: 'Stop every archive, broadcast, scene and dial-in of the show that still runs.',
  input: z.object({
    showId: z.string(),
    /** Null when the show had not come so far: then nothing runs. */
    sessionId: z.string().nullable(),
    reason: z.string().nullable(),
    failure: stateError.nullable(),
  }),
  output: z.object({ stopped: z.int() }),
  timeout: 120,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
