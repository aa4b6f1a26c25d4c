import { z } from 'zod'
import { idPattern } from '../names.ts'
import { show } from '../show.ts'
import type { Task } from './task.ts'

export const acceptShow = {
  summary: 'Validate and record the show, or read the one that the API recorded.',
  input: z.object({
    executionName: z.string(),
    startedAt: z.iso.datetime(),
    /** The execution's own input: `{ showId }` of a recorded show, or `{ show }` when started directly. */
    request: z.union([z.object({ showId: z.string().regex(idPattern) }), z.object({ show: z.unknown() })]),
  }),
  output: z.object({ showId: z.string(), show }),
  timeout: 30,
  needs: ['showRecords'],
} as const satisfies Task
