import { z } from 'zod'
import type { Task } from './task.ts'

export const sweepShows = {
  summary:
    'End what executions that are over have left behind, start what was accepted and never began, schedule what never was, and purge recordings that were deleted.',
  /** A scheduled event, or one that tells of an execution's end; neither is more than a hint. */
  input: z.unknown(),
  output: z.object({
    looked: z.int(),
    /** Shows whose execution was started, for the first time or to close them. */
    started: z.array(z.string()),
    /** Shows that need no more looking after. */
    settled: z.array(z.string()),
    /** Shows that should have been reported long ago and whose execution runs still. */
    overdue: z.array(z.string()),
    /** Shows that could not be looked after; the next sweep tries again. */
    failed: z.array(z.string()),
    /** Recordings of which nothing is left, since their time to be restored is over. */
    purged: z.array(z.string()),
    /** Recordings that could not be purged; the next sweep tries again. */
    unpurged: z.array(z.string()),
  }),
  timeout: 300,
  needs: [
    'platform',
    'showRecords',
    'showAcceptance',
    'showResults',
    'unfinishedShows',
    'settling',
    'showExecutions',
    'executionStandings',
    'schedules',
    'scheduleStandings',
    'archives',
    'purges',
    'events',
  ],
} as const satisfies Task
