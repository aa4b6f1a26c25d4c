import { z } from 'zod'
import { recordingOrder } from '../show.ts'
import type { Task } from './task.ts'

export const checkAudience = {
  summary: 'See whether somebody is connected: a stream is listed, or the first recording can be started.',
  input: z.object({
    showId: z.string(),
    sessionId: z.string(),
    /** Tried when no stream is listed, since listeners without a stream count as well; found again by its tag. */
    firstRecording: recordingOrder,
    startedAt: z.iso.datetime(),
    /** Seconds after `startedAt` at which waiting ends. */
    audienceWait: z.int(),
  }),
  output: z.object({ audience: z.enum(['present', 'absent', 'never came']), waitSeconds: z.int() }),
  timeout: 60,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
