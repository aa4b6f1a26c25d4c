import { z } from 'zod'
import type { Task } from './task.ts'

/** An archive whose upload failed and which the platform keeps for 72 hours. */
export const stranded = z.object({ name: z.string(), part: z.int(), archiveId: z.string() })

export const rescueArchive = {
  summary: 'Fetch an archive whose upload failed from the platform’s own cloud and put it where it belongs.',
  input: stranded.extend({ showId: z.string() }),
  output: z.object({ archiveId: z.string(), size: z.int() }),
  timeout: 900,
  memory: 512,
  needs: ['platform', 'showProgress', 'rescues'],
} as const satisfies Task
