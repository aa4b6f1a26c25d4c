import { z } from 'zod'
import type { Task } from './task.ts'

const part = z.object({ name: z.string(), part: z.int() })

/** Which parts have to begin, and which have done their work because the next one runs. */
export const partsPlan = z.object({
  recordings: z.object({ start: z.array(part), stop: z.array(part) }),
  broadcasts: z.object({ start: z.array(part), stop: z.array(part) }),
})
export type PartsPlan = z.output<typeof partsPlan>

export const rollOver = {
  summary: 'Start the next parts of recordings and broadcasts, and stop those that they take over from.',
  input: z.object({ showId: z.string(), sessionId: z.string(), due: partsPlan }),
  output: z.object({ started: z.int(), stopped: z.int() }),
  timeout: 120,
  needs: ['platform', 'showRecords', 'showSecrets', 'events'],
} as const satisfies Task
