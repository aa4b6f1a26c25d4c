import type { Storage, StoredObject } from '../aws/storage/storage.ts'
import type { PublishedTrack } from '../media/joining/published-track.ts'
import { TaskInputError } from '../tasks/errors.ts'

/**
 * Returns a function that reads published objects, or ranges of them, by key. It opens each object once.
 * The function throws {@link TaskInputError} for an object that is missing.
 */
export function readObjectsOnce(storage: Pick<Storage, 'etagOf' | 'open'>): PublishedTrack['read'] {
  const opened = new Map<string, Promise<StoredObject>>()
  const open = async (key: string) => {
    const etag = await storage.etagOf(key)
    if (etag === undefined) throw new TaskInputError(`${key} is missing. Rebuild its recording.`)
    return storage.open(key, etag)
  }
  return async (key, range) => {
    const opening = opened.get(key) ?? open(key)
    opened.set(key, opening)
    const object = await opening
    return range ? object.read(range.offset, range.offset + range.size) : object.read(0, object.size)
  }
}
