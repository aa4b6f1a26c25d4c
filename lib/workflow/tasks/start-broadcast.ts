import { z } from 'zod'
import { broadcastStatuses } from '../../platform/contract/broadcasts.ts'
import { broadcastOrder } from '../show.ts'
import type { Task } from './task.ts'

export const startedBroadcast = z.object({
  name: z.string(),
  tag: z.string(),
  broadcastId: z.string(),
  createdAt: z.iso.datetime(),
  status: z.enum([...broadcastStatuses, 'live']),
  hls: z.string().optional(),
})

export const startBroadcast = {
  summary: 'Start one broadcast, or adopt the one that already carries its tag.',
  input: z.object({
    showId: z.string(),
    sessionId: z.string(),
    broadcast: broadcastOrder,
    /** Seconds of live time; the platform ends it by itself some time later, should nobody else. */
    duration: z.int(),
  }),
  output: startedBroadcast,
  timeout: 60,
  needs: ['platform'],
} as const satisfies Task
