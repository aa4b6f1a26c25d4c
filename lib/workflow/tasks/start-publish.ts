import { z } from 'zod'
import { rebuildOrder } from '../orders/rebuild.ts'
import { arrival } from '../source.ts'
import type { Task } from './task.ts'

/** What a publish execution is started with; `formats` where somebody asked for some. */
export const publishInput = arrival.extend(rebuildOrder.shape)

/** What S3 sends to EventBridge. */
const arrived = z.object({
  /** Whoever calls it by hand may leave that out. */
  'detail-type': z.literal('Object Created').optional(),
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({ key: z.string(), etag: z.string() }),
  }),
})

/** What Step Functions sends. */
const brokenOff = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({
    name: z.string(),
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    /** JSON. */
    input: z.string(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
})

export const startPublish = {
  summary:
    'Start the publish execution of an arrived archive under its own name, and another one where that has failed or broke off.',
  /** An event of EventBridge: an archive has arrived, or a publish execution is over. */
  input: z.discriminatedUnion('detail-type', [arrived, brokenOff]),
  output: z.object({
    outcome: z.enum(['started', 'started again', 'running or done', 'given up', 'left as it is', 'not an archive']),
    executionName: z.string(),
  }),
  timeout: 30,
  needs: ['publishMachine'],
} as const satisfies Task
