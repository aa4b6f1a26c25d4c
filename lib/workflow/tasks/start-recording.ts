import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { recordingOrder } from '../show.ts'
import type { Task } from './task.ts'

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
