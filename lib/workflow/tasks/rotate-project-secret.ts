import { z } from 'zod'
import { rotationEvent } from './rotate-upload-key.ts'
import type { Task } from './task.ts'

export const rotateProjectSecret = {
  summary: 'Rotate the secret of the platform project, step by step, at a time when no show runs.',
  input: rotationEvent,
  output: z.object({
    outcome: z.enum(['done', 'done before', 'nothing to do', 'waits']),
    /** The show that it waits for. */
    showId: z.string().optional(),
  }),
  timeout: 120,
  needs: ['account', 'projectSecretRotation', 'showStates', 'unfinishedShows', 'maintenanceWork'],
} as const satisfies Task
