import { z } from 'zod'
import type { Task } from './task.ts'

export const setUploadTarget = {
  summary: 'Point the platform project’s upload at the bucket, keeping files that cannot be uploaded.',
  input: z.object({ showId: z.string() }),
  output: z.object({ bucket: z.string(), fallback: z.literal('opentok') }),
  timeout: 60,
  needs: ['platform', 'uploadKey', 'showProgress'],
} as const satisfies Task
