import { z } from 'zod'
import { stateError } from '../failures.ts'
import { startedBroadcast } from './start-broadcast.ts'
import { startedRecording } from './start-recording.ts'
import type { Task } from './task.ts'

const failedStart = z.object({ name: z.string(), error: stateError })

export const goLive = {
  summary: 'Note what was started and what could not be, set the planned end, and tell participants and owner.',
  input: z.object({
    showId: z.string(),
    sessionId: z.string(),
    recordings: z.array(z.union([startedRecording, failedStart])),
    broadcasts: z.array(z.union([startedBroadcast, failedStart])),
  }),
  output: z.object({ live: z.boolean(), plannedEndAt: z.iso.datetime().optional() }),
  timeout: 60,
  needs: ['platform', 'showRecords', 'events'],
} as const satisfies Task
