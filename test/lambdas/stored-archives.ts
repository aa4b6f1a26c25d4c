import { createHash } from 'node:crypto'
import { keys } from '../../lib/show/state/keys.ts'
import type { World } from '../support/world.ts'

/** Puts an archive that no show started into the bucket; gives what a publish execution hands its tasks. */
export async function storeArchive({ services: { storage } }: World, bytes: Buffer) {
  const archiveId = '00000000-0000-4000-8000-000000000000'
  const key = keys.archive('1', archiveId)
  await storage.put(key, bytes, 'video/mp4')
  return { bucket: 'media', key, etag: createHash('md5').update(bytes).digest('hex'), archiveId, keepDays: null }
}

/** A published object, whole. */
export async function fetchObject({ services: { storage } }: World, key: string): Promise<Buffer> {
  const object = await storage.open(key, (await storage.etagOf(key)) ?? '')
  return Buffer.from(await object.read(0, object.size))
}

/** What an object says of itself when it is listed in a manifest. */
export const digestOf = (bytes: Buffer) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})
