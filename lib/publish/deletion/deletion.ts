import { PlatformNotFoundError, PlatformRequestError } from '../../platform/client/errors.ts'
import {
  type DueDeletion,
  enterPhase,
  factsOf,
  forgetDeletion,
  listDue,
  purgeDeletion,
  readDeletion,
  recordDeletion,
  type StoredDeletion,
} from '../../records/deletion-records.ts'
import { isJoinedId } from '../../show/document/fields/names.ts'
import { keys } from '../../show/state/keys.ts'
import { StorageError } from '../../tasks/errors.ts'
import type { DeletionRecord } from '../manifest/deletion.ts'
import type { Manifest } from '../manifest/manifest.ts'
import {
  areListed,
  type Deletion,
  deleteAtPlatform,
  deleteEach,
  deleteForGood,
  indexKeyOf,
  isAtWork,
  joinedPrefixes,
  type Reach,
  sourceKeysOf,
} from './delete-recording.ts'

export interface DeletionOrder {
  readonly by?: string | undefined
  /** Days for which it can be restored; 0 deletes it permanently at once. */
  readonly days: number
}

/** The outcome of a restoration; `words` continue a sentence that begins with the recording. */
export type Restoration =
  | { readonly outcome: 'restored'; readonly objects: number }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'too late' | 'at work'; readonly words: string }

const DAY_MS = 86_400_000

/**
 * Deletes a recording so that it can be restored for some days: a record states until when, and delete markers hide all its
 * objects, so that no link works. The platform's copy stays until the purge. A repeated request completes an interrupted one. A
 * joined recording is hidden with each of its parts.
 */
export async function deleteRecording(
  services: Reach,
  archiveId: string,
  { by, days }: DeletionOrder,
): Promise<Deletion> {
  const { records, storage, publishExecutions, clock } = services
  const earlier = await readDeletion(storage, archiveId)
  if (earlier) return deleteAgain(services, earlier, days)
  if (await publishExecutions.isAnyRunning(`${archiveId}-`)) return { outcome: 'at work', words: 'is being published' }
  if (days === 0) return deleteForGood(services, archiveId)

  const isPart = !isJoinedId(archiveId)
  const atPlatform = isPart ? await statusAtPlatform(services, archiveId) : 'unknown'
  if (atPlatform === 'at work') return { outcome: 'at work', words: 'is being recorded or uploaded' }
  const manifest = await records.readManifestIfOwn(archiveId)
  const places = [
    keys.manifest(archiveId), // first, so that no page shows it while the rest is hidden
    ...(manifest ? [indexKeyOf(manifest)] : []),
    keys.recording(archiveId),
    ...(isPart ? await sourceKeysOf(services, archiveId) : []),
  ]
  if (atPlatform === 'unknown' && !(await isAnythingAt(storage, places))) return { outcome: 'unknown' }

  const document: DeletionRecord = {
    version: 1,
    archiveId,
    phase: 'deleted',
    places,
    deletedAt: new Date(clock.now()).toISOString(),
    ...(by !== undefined && { deletedBy: by }),
    purgeAt: new Date(clock.now() + days * DAY_MS).toISOString(),
    ...(isPart && (await joinedOf(services, archiveId, manifest))),
    ...factsOf(manifest),
  }
  if (await recordDeletion(storage, document)) return cover(services, document)
  const other = await readDeletion(storage, archiveId) // of a concurrent request
  return other ? deleteAgain(services, other, days) : { outcome: 'at work', words: 'is being restored' }
}

async function deleteAgain(services: Reach, stored: StoredDeletion, days: number): Promise<Deletion> {
  const { document } = stored
  if (document.phase === 'restoring') return { outcome: 'at work', words: 'is being restored' }
  if (document.phase === 'deleted' && days > 0) return cover(services, document)
  const objects = await purge(services, stored)
  return objects === undefined ? { outcome: 'at work', words: 'is being restored' } : { outcome: 'deleted', objects }
}

/** Hides every object. The joined recording is searched again, because another part's publish may have joined them meanwhile. */
async function cover(services: Reach, { archiveId, places, joined, purgeAt }: DeletionRecord): Promise<Deletion> {
  const { storage } = services
  let objects = 0
  for (const place of places) objects += await storage.hide(place)
  if (joined && !(await isAnothers(services, joined.archiveId, archiveId))) {
    const manifest = await services.records.readManifestIfOwn(joined.archiveId)
    for (const place of new Set([...(manifest ? [indexKeyOf(manifest)] : []), ...joined.places]))
      objects += await storage.hide(place)
  }
  return { outcome: 'deleted', objects, purgeAt }
}

/** Restores a deleted recording, and its joined recording once all parts are restored. A repeated request changes nothing. */
export async function restoreRecording(services: Reach, archiveId: string): Promise<Restoration> {
  const { records, storage, clock } = services
  const stored = await readDeletion(storage, archiveId)
  if (!stored) {
    const isThere = (await records.readManifestIfOwn(archiveId)) !== undefined
    return isThere ? { outcome: 'restored', objects: 0 } : { outcome: 'unknown' }
  }
  const { document } = stored
  const isOver = document.phase !== 'restoring' && clock.now() >= Date.parse(document.purgeAt)
  if (document.phase === 'purging' || isOver)
    return { outcome: 'too late', words: `could be restored until ${document.purgeAt}` }
  if (document.phase === 'deleted' && !(await enterPhase(storage, stored, 'restoring')))
    return { outcome: 'at work', words: 'is being changed by another request' }
  return { outcome: 'restored', objects: await uncover(services, document) }
}

async function uncover(services: Reach, document: DeletionRecord): Promise<number> {
  const { storage } = services
  let objects = 0
  for (const place of document.places.toReversed()) objects += await storage.unhide(place)
  if (document.joined) objects += await uncoverJoined(services, document.joined)
  await forgetDeletion(storage, document)
  return objects
}

type Joined = NonNullable<DeletionRecord['joined']>

/** Restores nothing when the parts have been joined again meanwhile, without this part. */
async function uncoverJoined(services: Reach, { archiveId, parts, places }: Joined): Promise<number> {
  const { records, storage } = services
  if (await records.readManifestIfOwn(archiveId)) return 0
  if (parts && !(await areListed(services, parts))) return 0
  let objects = 0
  for (const place of places) objects += await storage.unhide(place)
  const manifest = await records.readManifestIfOwn(archiveId)
  if (!manifest) return objects
  if (await areListed(services, manifest.parts ?? [])) {
    await records.writeManifest(manifest, async () => true) // restores its index entry, which another part's deletion may have removed
    return objects
  }
  for (const place of places) await storage.hide(place)
  return 0
}

/** Deletes every version of recordings that can no longer be restored, and the platform's copies; returns their ids. */
export async function purgeDue(
  services: Reach,
  limit: number,
  onFailure: (archiveId: string, error: unknown) => void,
): Promise<string[]> {
  const purged: string[] = []
  for (const due of await listDue(services.storage, services.clock.now(), limit)) {
    try {
      if (await purgeOne(services, due)) purged.push(due.archiveId)
    } catch (error) {
      onFailure(due.archiveId, error) // the next sweep tries again
    }
  }
  return purged
}

async function purgeOne(services: Reach, { archiveId, indexKey, purgeAt }: DueDeletion): Promise<boolean> {
  const { storage } = services
  const stored = await readDeletion(storage, archiveId)
  if (!stored || Date.parse(stored.document.purgeAt) !== purgeAt) {
    await storage.delete(indexKey) // of a deletion that was not recorded, or was undone
    return false
  }
  // A restoration needs more rights than the sweep has, so its caller has to repeat it.
  if (stored.document.phase === 'restoring')
    throw new StorageError(
      `The restoration of ${archiveId} was interrupted. Repeat POST /recordings/${archiveId}/restore.`,
    )
  return (await purge(services, stored)) !== undefined
}

/** Returns the number of deleted objects, counting every version; undefined when a restoration was faster. */
async function purge(services: Reach, stored: StoredDeletion): Promise<number | undefined> {
  const { storage } = services
  const { document } = stored
  const { archiveId, places, joined } = document
  if (document.phase !== 'purging' && !(await enterPhase(storage, stored, 'purging'))) return undefined
  if (!isJoinedId(archiveId)) await deleteAtPlatform(services, archiveId)
  let objects = await deleteEach(storage, places)
  if (joined && !(await isAnothers(services, joined.archiveId, archiveId)))
    objects += await deleteEach(storage, joined.places)
  await purgeDeletion(storage, document)
  return objects
}

/** Returns whether the joined recording exists without this part. */
async function isAnothers({ records }: Reach, joined: string, archiveId: string): Promise<boolean> {
  const manifest = await records.readManifestIfOwn(joined)
  return manifest !== undefined && !manifest.parts?.includes(archiveId)
}

async function joinedOf(services: Reach, archiveId: string, manifest: Manifest | undefined) {
  const places = await joinedPrefixes(services, archiveId, manifest)
  const [, joined] = /^recordings\/([^/]+)\//.exec(places.at(-1) ?? '') ?? []
  if (!joined) return {}
  const { parts } = (await services.records.readManifestIfOwn(joined)) ?? {}
  return { joined: { archiveId: joined, ...(parts && { parts }), places } }
}

/** Statuses of archives that the platform can delete. It also describes those that were deleted, have expired or failed. */
const DELETABLE: readonly string[] = ['available', 'uploaded']

async function statusAtPlatform({ platform }: Reach, archiveId: string): Promise<'known' | 'unknown' | 'at work'> {
  const client = await platform()
  try {
    const { status } = await client.getArchive({ archiveId })
    return isAtWork(status) ? 'at work' : DELETABLE.includes(status) ? 'known' : 'unknown'
  } catch (error) {
    // An id that the platform does not take is not one of its archives.
    if (error instanceof PlatformNotFoundError || error instanceof PlatformRequestError) return 'unknown'
    throw error
  }
}

async function isAnythingAt(storage: Reach['storage'], places: readonly string[]): Promise<boolean> {
  for (const place of places) if ((await storage.list(place, { limit: 1 })).keys.length > 0) return true
  return false
}
