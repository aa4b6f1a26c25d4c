import { z } from 'zod'
import type { Task } from './task.ts'

export const checkAudience = {
  summary: 'See whether somebody is connected whom the show did not bring itself.',
  input: z.object({
    showId: z.string(),
    sessionId: z.string(),
    /** When waiting began. */
    startedAt: z.iso.datetime(),
  }),
  output: z.object({
    audience: z.enum(['present', 'absent', 'never came', 'not awaited any more']),
    /** Why it is not waited for any longer, in words. */
    reason: z.string().optional(),
    /** Soon at first, then every 15 s; not beyond the time at which waiting ends. */
    nextLookAt: z.iso.datetime(),
  }),
  timeout: 60,
  needs: ['platform', 'showRecords', 'showSecrets'],
} as const satisfies Task
