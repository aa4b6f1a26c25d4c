import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { orOther } from '../../platform/contract/open-values.ts'
import type { Task } from './task.ts'

export const startedRecording = z.object({
  name: z.string(),
  /** From 1. */
  part: z.int(),
  tag: z.string(),
  archiveId: z.string(),
  createdAt: z.iso.datetime(),
  status: orOther(archiveStatuses),
})

export const startRecording = {
  summary: 'Start the first part of one recording, or adopt the archive that already carries its tag.',
  input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
  output: startedRecording,
  timeout: 60,
  needs: ['platform', 'showRequests', 'showStates'],
} as const satisfies Task
