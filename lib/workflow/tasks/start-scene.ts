import { z } from 'zod'
import { composerStatuses } from '../../platform/contract/composers.ts'
import { orOther } from '../../platform/contract/open-values.ts'
import type { Task } from './task.ts'

export const startScene = {
  summary: 'Have one web page take part, or adopt the composer that shows it already.',
  input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
  output: z.object({ name: z.string(), composerId: z.string(), status: orOther(composerStatuses) }),
  timeout: 60,
  needs: ['platform', 'showRecords'],
} as const satisfies Task
