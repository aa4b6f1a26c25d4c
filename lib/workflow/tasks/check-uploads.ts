import { z } from 'zod'
import { stranded } from './rescue-archive.ts'
import type { Task } from './task.ts'

export const checkUploads = {
  summary: 'See whether every archive has ended and its bytes lie in the bucket with the size the platform reports.',
  input: z.object({
    showId: z.string(),
    sessionId: z.string(),
    /** Seconds after the end at which waiting is given up. */
    uploadWait: z.int(),
  }),
  output: z.object({
    over: z.boolean(),
    arrived: z.int(),
    awaited: z.int(),
    waitSeconds: z.int(),
    /** What has to be fetched, once it is over. */
    stranded: z.array(stranded),
  }),
  timeout: 120,
  needs: ['platform', 'showRecords', 'archives'],
} as const satisfies Task
