import { z } from 'zod'
import { platformEvents } from '../platform-events.ts'
import type { Task } from './task.ts'

export const handleCallback = {
  summary: 'Note what a verified callback of the platform reports, and put it on the stack’s own bus, once.',
  /** An event of the stack's own bus, on which only functions of the stack can put any. */
  input: z.object({ detail: z.discriminatedUnion('kind', Object.values(platformEvents) as never) }),
  output: z.object({ outcome: z.enum(['done', 'done before']) }),
  timeout: 30,
  needs: ['platformEvents', 'platform', 'showRequests', 'showProgress', 'showSecrets', 'unfinishedShows'],
} as const satisfies Task
