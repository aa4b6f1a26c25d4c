import { z } from 'zod'
import { stranded } from './rescue-archive.ts'
import type { Task } from './task.ts'

export const checkUploads = {
  summary:
    'See whether everything has ended and the bytes of every archive lie in the bucket with the size the platform reports; stop again what still runs.',
  input: z.object({ showId: z.string(), sessionId: z.string().nullable() }),
  output: z.object({
    over: z.boolean(),
    arrived: z.int(),
    awaited: z.int(),
    waitSeconds: z.int(),
    /** What has to be fetched now; it is over once that is done and there is nothing more. */
    stranded: z.array(stranded),
  }),
  timeout: 120,
  needs: ['platform', 'showRecords', 'archives', 'events'],
} as const satisfies Task
