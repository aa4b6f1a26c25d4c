import { z } from 'zod'

const time = z.iso.datetime()

/** `rotation-lock.json`: exists while the secret of the platform project is replaced. */
export const rotationLock = z.object({
  version: z.literal(1),
  /** The operation under way, for messages. */
  reason: z.string(),
  since: time,
  /** The time at which the writer is surely over. Until then, no other call may take the lock. */
  busyUntil: time,
  /** The time until which shows wait at most. */
  until: time,
})
export type RotationLockRecord = z.output<typeof rotationLock>
