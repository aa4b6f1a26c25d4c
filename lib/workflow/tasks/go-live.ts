import { z } from 'zod'
import { stateError } from '../failures.ts'
import { startedBroadcast } from './start-broadcast.ts'
import { startedRecording } from './start-recording.ts'
import type { Task } from './task.ts'

const failedStart = z.object({ name: z.string(), error: stateError })

export const goLive = {
  summary: 'Note what was started and what could not be, and set the planned end.',
  input: z.object({
    showId: z.string(),
    recordings: z.array(z.union([startedRecording, failedStart])),
    broadcasts: z.array(z.union([startedBroadcast, failedStart])),
    /** Seconds of live time. */
    duration: z.int(),
  }),
  output: z.object({ live: z.boolean(), plannedEndAt: z.iso.datetime().optional() }),
  timeout: 30,
  needs: ['showRecords'],
} as const satisfies Task
