import { z } from 'zod'
import type { Task } from './task.ts'

export const startPublish = {
  summary:
    'Start the publish execution of an arrived archive under its own name, and another one where that has failed.',
  /** The EventBridge event that S3 sends. */
  input: z.object({
    detail: z.object({
      bucket: z.object({ name: z.string() }),
      object: z.object({ key: z.string(), etag: z.string() }),
    }),
  }),
  output: z.object({
    outcome: z.enum(['started', 'started again', 'running or done', 'given up', 'not an archive']),
    executionName: z.string(),
  }),
  timeout: 30,
  needs: ['publishMachine'],
} as const satisfies Task
