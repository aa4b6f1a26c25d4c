import { PlatformConflictError, PlatformNotFoundError } from '../../platform/client/errors.ts'
import type { Services } from '../../services.ts'
import { isJoinedId, joinedId } from '../../show/document/fields/names.ts'
import { keys } from '../../show/state/keys.ts'
import type { Manifest } from '../manifest/manifest.ts'

/** The outcome of a deletion; `words` continue a sentence that begins with the recording. */
export type Deletion =
  | { readonly outcome: 'deleted'; readonly objects: number; readonly purgeAt?: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'at work'; readonly words: string }

export type Reach = Pick<Services, 'platform' | 'project' | 'records' | 'storage' | 'publishExecutions' | 'clock'>

/**
 * Deletes a recording permanently: the platform's copy, every version of the source and the published files, and its index
 * entry. The manifest, which names that entry, is deleted last, so a repeated request completes an interrupted one. The joined
 * recording is deleted with each of its parts; the parts stay when only the joined recording is deleted.
 *
 * The recording does not return: callers refuse the request while a publish runs, and a later publish finds no source. The
 * publish of another part may join them meanwhile. So the part leaves the index before its joined recording is searched, and a
 * join checks the index afterwards (`areListed`). The later of the two deletes the joined recording.
 */
export async function deleteForGood(services: Reach, archiveId: string): Promise<Deletion> {
  const { records, storage } = services
  const isPart = !isJoinedId(archiveId)
  const atPlatform = isPart ? await deleteAtPlatform(services, archiveId) : 'unknown'
  if (atPlatform === 'at work') return { outcome: 'at work', words: 'is being recorded or uploaded' }

  const manifest = await records.readManifestIfOwn(archiveId)
  let objects = await deleteEach(storage, manifest ? [indexKeyOf(manifest)] : [])
  const prefixes = [
    ...(isPart ? await joinedPrefixes(services, archiveId, manifest) : []),
    ...(isPart ? await sourceKeysOf(services, archiveId) : []),
    keys.recording(archiveId),
  ]
  objects += await deleteEach(storage, prefixes)
  return objects === 0 && atPlatform === 'unknown' ? { outcome: 'unknown' } : { outcome: 'deleted', objects }
}

/** Deletes every version under some prefixes, and returns the number of objects. */
export async function deleteEach(storage: Reach['storage'], prefixes: readonly string[]): Promise<number> {
  let objects = 0
  for (const prefix of prefixes) objects += await storage.deleteAll(prefix)
  return objects
}

export const indexKeyOf = ({ archiveId, createdAt }: Manifest) => keys.recordingIndex(Date.parse(createdAt), archiveId)

const publishedPrefixes = (archiveId: string, manifest: Manifest | undefined): string[] => [
  ...(manifest ? [indexKeyOf(manifest)] : []),
  keys.recording(archiveId),
]

/** Returns whether all these recordings are published and none of them is being deleted. */
export async function areListed(
  { records, storage }: Pick<Services, 'records' | 'storage'>,
  archiveIds: readonly string[],
): Promise<boolean> {
  const isListed = async (archiveId: string) => {
    const manifest = await records.readManifest(archiveId)
    return manifest !== undefined && (await storage.etagOf(indexKeyOf(manifest))) !== undefined
  }
  return (await Promise.all(archiveIds.map(isListed))).every(Boolean)
}

/**
 * Deletes a joined recording if one of its parts has been deleted, and returns whether it did.
 * @param fits false if its parts cannot be joined any more, because a file was replaced by another one
 */
export async function withdrawJoined(
  services: Pick<Services, 'records' | 'storage'>,
  archiveId: string,
  { fits = true } = {},
): Promise<boolean> {
  const joined = await services.records.readManifest(archiveId)
  if (!joined?.parts || (fits && (await areListed(services, joined.parts)))) return false
  await deleteEach(services.storage, publishedPrefixes(archiveId, joined))
  return true
}

/** Returns the prefixes of the joined recording that a part belongs to, also when its manifest is deleted already. */
export async function joinedPrefixes(
  { records }: Pick<Reach, 'records'>,
  archiveId: string,
  manifest: Manifest | undefined,
): Promise<string[]> {
  const joined = await findJoined(records, archiveId, manifest)
  return joined ? publishedPrefixes(joined.archiveId, joined.manifest) : []
}

/** Returns the joined recording that a part belongs to, without a manifest when that does not exist. */
export async function findJoined(
  records: Reach['records'],
  archiveId: string,
  manifest: Manifest | undefined,
): Promise<{ archiveId: string; manifest: Manifest | undefined } | undefined> {
  const { show } = manifest ?? {}
  const state = show && (await records.readState(show.showId))
  const first = state?.recordings.find(({ name, part }) => name === show?.name && part === 1)?.archiveId
  if (!first) return undefined
  const joined = await records.readManifestIfOwn(joinedId(first))
  const isAnother = joined && !joined.parts?.includes(archiveId)
  return isAnother ? undefined : { archiveId: joinedId(first), manifest: joined }
}

/** Returns whether an archive of this status is still being recorded or uploaded. */
export const isAtWork = (status: string) => ['started', 'paused', 'stopped'].includes(status)

export async function deleteAtPlatform(
  { platform }: Reach,
  archiveId: string,
): Promise<'deleted' | 'unknown' | 'at work'> {
  const client = await platform()
  try {
    await client.deleteArchive({ archiveId })
    return 'deleted'
  } catch (error) {
    if (error instanceof PlatformNotFoundError) return 'unknown'
    if (!(error instanceof PlatformConflictError)) throw error
    const { status } = await client.getArchive({ archiveId })
    return isAtWork(status) ? 'at work' : 'deleted' // it failed or expired, so there is no copy
  }
}

/** Returns the current version of a recording's source; undefined when it is missing. */
export async function sourceOf(
  services: Pick<Services, 'project' | 'records' | 'storage'>,
  archiveId: string,
): Promise<{ key: string; etag: string } | undefined> {
  for (const key of await sourceKeysOf(services, archiveId)) {
    const etag = await services.storage.etagOf(key)
    if (etag !== undefined) return { key, etag }
  }
  return undefined
}

/** Returns the possible keys of a source, that of the manifest first: the platform project may have changed since. */
export async function sourceKeysOf(
  { project, records }: Pick<Services, 'project' | 'records'>,
  archiveId: string,
): Promise<Set<string>> {
  const [apiKey, manifest] = await Promise.all([project.apiKey(), records.readManifestIfOwn(archiveId)])
  return new Set([
    ...(manifest ? [manifest.source.key] : []),
    keys.archive(apiKey, archiveId, 'composed'),
    keys.archive(apiKey, archiveId, 'individual'),
  ])
}
