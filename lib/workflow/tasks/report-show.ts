import { z } from 'zod'
import { showResult } from '../documents/result.ts'
import { stateError } from '../failures.ts'
import type { Task } from './task.ts'

export const reportShow = {
  summary: 'Write the result with the fate of everything the show started, and tell the owner.',
  input: z.object({
    showId: z.string(),
    sessionId: z.string().nullable(),
    /** Why it ended, in words. */
    reason: z.string().nullable(),
    /** What made the execution give up early. */
    failure: stateError.nullable(),
  }),
  output: showResult.pick({ showId: true, status: true, reason: true }),
  timeout: 120,
  needs: ['platform', 'showRecords', 'showResults', 'archives', 'events'],
} as const satisfies Task
