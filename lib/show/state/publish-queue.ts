import { z } from 'zod'

const time = z.iso.datetime()

/** A publish execution that has a turn or waits for one. */
export const queuedPublish = z.object({
  executionName: z.string(),
  archiveId: z.string(),
  /** What it makes in its turn: what a player needs, or everything else. */
  stage: z.enum(['ready', 'complete']),
  /** Bytes of the archive; 0 if it did not have to wait when it arrived. */
  size: z.int(),
  /** When it asked for its first turn. */
  since: time,
})
export type QueuedPublish = z.output<typeof queuedPublish>

/** `publish-queue.json`: the publish executions that have a turn, and those that wait. */
export const publishQueue = z.object({
  version: z.literal(1),
  /** Also executions that have ended, until one that waits removes them. */
  running: z.array(queuedPublish),
  /** In the order in which they get their turn. */
  waiting: z.array(queuedPublish),
  /** When ended executions were last removed. */
  checkedAt: time.optional(),
  /** When a turn was last taken by one of many, and the average milliseconds between two such turns. */
  takenAt: time.optional(),
  pace: z.number().optional(),
})
export type PublishQueue = z.output<typeof publishQueue>
