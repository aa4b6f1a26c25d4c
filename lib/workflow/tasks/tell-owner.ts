import { z } from 'zod'
import { ownerEvent } from '../owner-events.ts'
import type { Task } from './task.ts'

export const tellOwner = {
  summary: 'Read one event from the records and post it to the callback that the show names, signed.',
  /** Which event: nothing else of what was put on the bus is believed. */
  input: z.object({ event: ownerEvent.pick({ id: true, showId: true, archiveId: true }).required({ showId: true }) }),
  output: z.object({
    id: z.string(),
    /** `gone` when the app wants no more of this show; `refused` when it will not take this one, which fails the execution. */
    outcome: z.enum(['told', 'gone', 'refused']),
    /** Of the app's answer; absent when it was not asked, since it has wanted no more before. */
    status: z.int().optional(),
    /** Why it was refused, in words. */
    reason: z.string().optional(),
  }),
  timeout: 30,
  needs: ['showRecords', 'publishedManifests', 'callbacks', 'showSecrets'],
} as const satisfies Task
