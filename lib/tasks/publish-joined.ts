import { z } from 'zod'
import type { Task } from './task.ts'

/** Two parts of a recording, by their archives. */
export const overlapping = z.object({
  earlier: z.string(),
  later: z.string(),
  /**
   * Seconds of the earlier part at which the later one should begin: by their creation times, and by the stop time of the
   * earlier part if it is known, since a paused recording is shorter.
   */
  expected: z.array(z.number()).min(1),
})

const foundParts = z.object({
  /** Archives of the parts in order; empty when there is nothing to join. */
  parts: z.array(z.string()),
  /** Each part except the first, with the previous one. */
  pairs: z.array(overlapping),
  /** Message about parts that are left out. */
  message: z.string().nullable(),
})

const foundOverlap = z.object({
  /** Seconds of the earlier part. */
  shift: z.number(),
  /** From 0 to 1; null when no overlap was found, and the shift is the expected one. */
  confidence: z.number().nullable(),
})

export const joinedTasks = {
  findParts: {
    summary: 'Find the published parts of a recording that rolled over, from the first on.',
    input: z.object({ archiveId: z.string() }),
    output: foundParts,
    timeout: 60,
    capabilities: ['showStates', 'madeFiles'],
  },
  findOverlap: {
    summary:
      'Find where one part of a recording begins within the previous part, by comparing what both have recorded.',
    input: overlapping,
    output: foundOverlap,
    timeout: 300,
    memory: 1024,
    capabilities: ['madeFiles', 'ffmpeg'],
  },
  joinParts: {
    summary:
      'Publish the parts of a recording on one timeline: copy them with other timestamps, and cut the seams again.',
    input: foundParts.pick({ parts: true, message: true }).extend({
      /** One entry for each part except the first. */
      overlaps: z.array(foundOverlap),
    }),
    output: z.object({
      /** Null when fewer than two parts can be joined. */
      joined: z.object({ archiveId: z.string(), parts: z.array(z.string()), duration: z.number() }).nullable(),
      message: z.string().nullable(),
    }),
    timeout: 900,
    memory: 1769, // one whole processor: hashing limits the speed of a copy
    capabilities: [
      ...(['showRequests', 'showStates', 'madeFiles', 'recordings', 'manifests', 'joinedRecordings'] as const),
      'deletionRecords',
    ],
  },
} as const satisfies Record<string, Task>
