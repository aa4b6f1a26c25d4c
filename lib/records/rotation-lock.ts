import { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import type { Clock } from '../clock.ts'
import { keys } from '../show/state/keys.ts'
import { ServiceError, StorageError } from '../tasks/errors.ts'

export type RotationLock = ReturnType<typeof createRotationLock>

/** Creates a lock that delays the start of shows. Every method throws {@link StorageError} when the bucket fails. */
export function createRotationLock(storage: Storage, clock: Clock) {
  const read = async () => {
    const stored = await storage.readDocument(keys.rotationLock)
    if (!stored) return undefined
    const parsed = rotationLock.safeParse(stored.value)
    if (!parsed.success)
      throw new StorageError(`${keys.rotationLock} is not a document that this version of Showrunner reads: delete it.`)
    return { record: parsed.data, etag: stored.etag }
  }
  const after = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString()

  return {
    /**
     * Delays the start of shows until `end`, or for `longest` seconds. The caller must check afterwards whether a show has
     * started: a show notes its start before it reads the lock, so at least one of the two sees the other.
     * @param times.busy seconds after which the caller is surely over
     * @throws {@link ServiceError} while another call holds the lock
     */
    async begin(reason: string, { busy, longest }: { readonly busy: number; readonly longest: number }): Promise<void> {
      const existing = await read()
      const taken = () => new ServiceError(`Another call holds the rotation lock (${reason}): it is retried later.`)
      if (existing && clock.now() < Date.parse(existing.record.busyUntil)) throw taken()
      const record = { version: 1, reason, since: after(0), busyUntil: after(busy), until: after(longest) }
      if (!(await storage.writeDocument(keys.rotationLock, record, existing?.etag))) throw taken()
    },
    end: () => storage.delete(keys.rotationLock),
    /** Returns why shows have to wait; undefined if they need not. */
    async reason() {
      const { record } = (await read()) ?? {}
      return record && clock.now() < Date.parse(record.until) ? record.reason : undefined
    },
  }
}

const time = z.iso.datetime()

/** `rotation-lock.json`: exists while the secret of the platform project is replaced. */
const rotationLock = z.object({
  version: z.literal(1),
  /** The operation under way, for messages. */
  reason: z.string(),
  since: time,
  /** The time at which the writer is surely over. Until then, no other call may take the lock. */
  busyUntil: time,
  /** The time until which shows wait at most. */
  until: time,
})
