import { z } from 'zod'
import { broadcastState } from '../documents/resources.ts'
import type { Task } from './task.ts'

/** Without stream keys: what the platform answers is cut down to this. */
export const startedBroadcast = broadcastState
  .omit({ problem: true, order: true })
  .required({ broadcastId: true, createdAt: true, status: true })

export const startBroadcast = {
  summary: 'Start the first part of one broadcast, or adopt the running one that already carries its tag.',
  input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
  output: startedBroadcast,
  timeout: 60,
  needs: ['platform', 'showRequests', 'showStates', 'showSecrets'],
} as const satisfies Task
