import { z } from 'zod'
import { stateError } from '../failures.ts'
import type { Task } from './task.ts'

export const noteFailure = {
  summary: 'Note why a scene or a dial-in could not be started; the show goes on without it.',
  input: z.object({
    showId: z.string(),
    kind: z.enum(['scene', 'dialIn']),
    name: z.string(),
    error: stateError,
  }),
  output: z.object({ name: z.string() }),
  timeout: 30,
  needs: ['showProgress'],
} as const satisfies Task
