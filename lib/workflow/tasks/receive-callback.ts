import { z } from 'zod'
import type { Task } from './task.ts'

export const receiveCallback = {
  summary: 'Verify a callback of the platform, answer it, and have it handled.',
  /** A request in API Gateway's payload format 2.0. */
  input: z.object({
    headers: z.record(z.string(), z.string()),
    pathParameters: z.object({ kind: z.string() }),
    body: z.string().default(''),
    isBase64Encoded: z.boolean(),
  }),
  /** The answer. */
  output: z.object({ statusCode: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }),
  timeout: 29,
  needs: ['platformCallbacks'],
} as const satisfies Task
