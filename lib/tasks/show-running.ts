import { z } from 'zod'
import { showResult } from '../show/state/result.ts'
import { stateError } from './state-errors.ts'
import type { Task } from './task.ts'

/** An archive whose upload failed and which the platform keeps for 72 hours. */
export const stranded = z.object({ name: z.string(), part: z.int(), archiveId: z.string() })

const part = z.object({ name: z.string(), part: z.int() })

/** The parts to start, and the parts to stop because the next one runs. */
const partsPlan = z.object({
  recordings: z.object({ start: z.array(part), stop: z.array(part) }),
  broadcasts: z.object({ start: z.array(part), stop: z.array(part) }),
})
export type PartsPlan = z.output<typeof partsPlan>

export const runningTasks = {
  watchShow: {
    summary:
      'Observe everything that the show runs, and return whether it is over, what is due, and when to poll next.',
    input: z.object({ showId: z.string(), sessionId: z.string() }),
    output: z.object({
      over: z.boolean(),
      /** Why it is over, as a message. */
      reason: z.string().optional(),
      /** The parts to start or stop now; null when there are none. */
      due: partsPlan.nullable(),
      /** Archives to fetch now: the platform deletes them after 72 hours. */
      stranded: z.array(stranded),
      /** Soon near an expected change, at most 53 s away far from one; exactly the planned end when that is next. */
      nextPollAt: z.iso.datetime(),
    }),
    timeout: 60,
    capabilities: ['platform', 'showRecords', 'observations', 'events'],
  },
  rollOver: {
    summary: 'Start the next parts of recordings and broadcasts, and stop the previous ones.',
    input: z.object({ showId: z.string(), sessionId: z.string(), due: partsPlan }),
    output: z.object({ started: z.int(), stopped: z.int() }),
    timeout: 120,
    capabilities: ['platform', 'showRecords', 'showSecrets', 'events'],
  },
  stopShow: {
    summary: 'Stop every archive, broadcast, scene and dial-in of the show that still runs.',
    input: z.object({
      showId: z.string(),
      /** Null when the show has no session yet: then nothing runs. */
      sessionId: z.string().nullable(),
      reason: z.string().nullable(),
      failure: stateError.nullable(),
    }),
    output: z.object({ stopped: z.int() }),
    timeout: 120,
    capabilities: ['platform', 'showRecords', 'events'],
  },
  checkUploads: {
    summary:
      'Check that everything has ended and that the bucket has every archive in the size that the platform reports. Stop again what still runs.',
    input: z.object({ showId: z.string(), sessionId: z.string().nullable() }),
    output: z.object({
      over: z.boolean(),
      arrived: z.int(),
      awaited: z.int(),
      waitSeconds: z.int(),
      /** Archives to fetch now; the show is over once none is left. */
      stranded: z.array(stranded),
    }),
    timeout: 120,
    capabilities: ['platform', 'showRecords', 'archives', 'events'],
  },
  rescueArchive: {
    summary: 'Fetch an archive whose upload failed from the platform’s own storage, and store it under its key.',
    input: stranded.extend({ showId: z.string() }),
    output: z.object({ archiveId: z.string(), size: z.int() }),
    timeout: 900,
    memory: 512,
    capabilities: ['platform', 'showProgress', 'rescues'],
  },
  reportShow: {
    summary: 'Write the result with the outcome of everything that the show started, and notify the owner.',
    input: z.object({
      showId: z.string(),
      sessionId: z.string().nullable(),
      /** Why it ended, as a message. */
      reason: z.string().nullable(),
      /** The error that ended the execution early. */
      failure: stateError.nullable(),
    }),
    output: showResult.pick({ showId: true, status: true, reason: true }),
    timeout: 120,
    capabilities: [
      ...(['platform', 'showRecords', 'showResults', 'archives', 'events'] as const),
      ...(['clips', 'clipLists', 'publishedManifests'] as const),
    ],
  },
  sweepShows: {
    summary:
      'Close interrupted shows, start accepted shows that never began, recreate missing schedules, and purge deleted recordings.',
    /** A scheduled event, or the end of an execution; the task reads neither. */
    input: z.unknown(),
    output: z.object({
      checked: z.int(),
      /** Shows whose execution was started, for the first time or to close them. */
      started: z.array(z.string()),
      /** Shows that need no further sweep. */
      settled: z.array(z.string()),
      /** Shows that should have been reported long ago, and whose execution still runs. */
      overdue: z.array(z.string()),
      /** Shows that could not be swept; the next sweep tries again. */
      failed: z.array(z.string()),
      /** Shows whose result the sweep wrote, because no execution of theirs could. */
      reported: z.array(showResult.pick({ showId: true, status: true })),
      /** Recordings that were deleted permanently, because their time to be restored is over. */
      purged: z.array(z.string()),
      /** Recordings that could not be purged; the next sweep tries again. */
      unpurged: z.array(z.string()),
    }),
    timeout: 300,
    capabilities: [
      'platform',
      'showRecords',
      'showAcceptance',
      'showResults',
      'unfinishedShows',
      'settling',
      'showExecutions',
      'executionStatuses',
      'schedules',
      'showSecrets',
      'scheduleLists',
      'archives',
      'purges',
      'events',
      'clips',
      'clipLists',
      'publishedManifests',
    ],
  },
} as const satisfies Record<string, Task>
