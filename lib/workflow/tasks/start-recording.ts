import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { show } from '../show.ts'
import type { Task } from './task.ts'

/** One entry of the show's `recordings`. */
export const recordingOrder = show.shape.recordings.unwrap().element
export type RecordingOrder = z.output<typeof recordingOrder>

export const startedRecording = z.object({
  name: z.string(),
  tag: z.string(),
  archiveId: z.string(),
  createdAt: z.iso.datetime(),
  status: z.enum(archiveStatuses),
})

export const startRecording = {
  summary: 'Start one archive, or adopt the one that already carries its tag.',
  input: z.object({ showId: z.string(), sessionId: z.string(), recording: recordingOrder }),
  output: startedRecording,
  timeout: 60,
  needs: ['platform'],
} as const satisfies Task
