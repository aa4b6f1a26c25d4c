import { z } from 'zod'
import { idPattern } from '../names.ts'
import type { Task } from './task.ts'

export const startShow = {
  summary: 'Start the show that a schedule has come due for, once for each time.',
  input: z.object({ scheduleId: z.string().regex(idPattern), scheduledAt: z.string() }),
  output: z.object({ showId: z.string(), outcome: z.enum(['started', 'started before', 'unscheduled']) }),
  timeout: 60,
  needs: ['showRecords', 'showAcceptance', 'showExecutions'],
} as const satisfies Task
