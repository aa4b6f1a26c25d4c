import { z } from 'zod'

const time = z.iso.datetime()

/** `rotation-lock.json`: there while something is replaced without which no show can run. */
export const rotationLock = z.object({
  version: z.literal(1),
  /** What is done, in words. */
  reason: z.string(),
  since: time,
  /** When whoever wrote this is surely over, one way or the other; until then nobody else may do the same. */
  busyUntil: time,
  /** When shows need no longer wait, whatever became of it. */
  until: time,
})
export type RotationLockRecord = z.output<typeof rotationLock>
