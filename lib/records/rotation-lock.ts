import type { Storage } from '../aws/storage/storage.ts'
import type { Clock } from '../clock.ts'
import { keys } from '../show/state/keys.ts'
import { ServiceError, StorageError } from '../tasks/errors.ts'
import { type RotationLockRecord, rotationLock } from './rotation-lock-document.ts'

/** What keeps shows from starting for a moment. Every method throws StorageError when the bucket does not answer. */
export interface RotationLock {
  /**
   * Keeps shows from starting until `end`, or for `longest` seconds. Whoever calls it must look afterwards whether a show
   * has begun: a show that begins looks the other way round, so at least one of the two sees the other.
   * @param busy seconds after which the caller is surely over
   * @throws ServiceError while somebody else is at it
   */
  begin(reason: string, times: { readonly busy: number; readonly longest: number }): Promise<void>
  end(): Promise<void>
  /** Why shows have to wait, in words; undefined when they need not. */
  reason(): Promise<string | undefined>
}

export function createRotationLock(storage: Storage, clock: Clock): RotationLock {
  const read = async (): Promise<{ record: RotationLockRecord; etag: string } | undefined> => {
    const stored = await storage.readDocument(keys.rotationLock)
    if (!stored) return undefined
    const parsed = rotationLock.safeParse(stored.value)
    if (!parsed.success)
      throw new StorageError(`${keys.rotationLock} is not a document that this version of Showrunner reads: delete it.`)
    return { record: parsed.data, etag: stored.etag }
  }
  const after = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString()

  return {
    async begin(reason, { busy, longest }) {
      const there = await read()
      const taken = () => new ServiceError(`Somebody else is at it already (${reason}): it is tried again later.`)
      if (there && clock.now() < Date.parse(there.record.busyUntil)) throw taken()
      const record = { version: 1, reason, since: after(0), busyUntil: after(busy), until: after(longest) }
      if (!(await storage.writeDocument(keys.rotationLock, record, there?.etag))) throw taken()
    },
    end: () => storage.delete(keys.rotationLock),
    async reason() {
      const { record } = (await read()) ?? {}
      return record && clock.now() < Date.parse(record.until) ? record.reason : undefined
    },
  }
}
