import { z } from 'zod'
import { idPattern } from '../names.ts'
import type { Task } from './task.ts'

const showId = z.string().regex(idPattern)

export const acceptShow = {
  summary: 'Validate and record the show, or read the one that the API recorded.',
  input: z.object({
    executionName: z.string(),
    startedAt: z.iso.datetime(),
    /**
     * The execution's own input: `{ showId }` of a recorded show, `{ show }` when started directly, or
     * `{ showId, closing: true }` when the sweep ends what another execution has left behind.
     */
    request: z.union([
      z.object({ showId, closing: z.boolean().default(false) }),
      z.object({ show: z.unknown(), closing: z.literal(false).default(false) }),
    ]),
  }),
  /** The names alone: the rest of the show stays in the bucket, so that no payload nears its limit. */
  output: z.object({
    showId: z.string(),
    closing: z.boolean(),
    /** Until it may begin, or is to be looked at again: something is replaced without which no show can run. */
    waitSeconds: z.int(),
    /** Of a show that is being closed, if it had come so far. */
    sessionId: z.string().nullable(),
    scenes: z.array(z.string()),
    dialIns: z.array(z.string()),
    recordings: z.array(z.string()),
    broadcasts: z.array(z.string()),
  }),
  timeout: 30,
  needs: ['showRecords', 'showAcceptance', 'maintenance'],
} as const satisfies Task
