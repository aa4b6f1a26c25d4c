import { PlatformConflictError, PlatformNotFoundError } from '../../platform/client/errors.ts'
import type { Services } from '../../services.ts'
import { isJoinedId, joinedId } from '../../show/document/fields/names.ts'
import { keys } from '../../show/state/keys.ts'
import type { Manifest } from '../manifest/manifest.ts'

/** What came of a deletion; `words` go on from the recording. */
export type Deletion =
  | { readonly outcome: 'deleted'; readonly objects: number; readonly purgeAt?: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'at work'; readonly words: string }

export type Reach = Pick<Services, 'platform' | 'project' | 'records' | 'storage' | 'publishExecutions' | 'clock'>

/**
 * Deletes a recording for good: the platform's copy, every version of the source and of all that was made of it, and its
 * place in the list. Repeated it completes what broke off, since the manifest, which knows that place, goes last. With a part
 * goes what joins it to others; without what joins them the parts stay as they are.
 *
 * Nothing brings it back: the caller refuses it while a publish runs, and one that begins later finds no source. Another part's publish
 * may join them meanwhile: so the part leaves the list before what joins it is looked for, and whoever has joined it looks into
 * the list afterwards (`isListed`). Whichever of the two comes last takes the joined one away.
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

/** Whether all these recordings are published and none of them is being deleted. */
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

/** Takes away what joins parts of which one has been deleted, and says whether it did. */
export async function withdrawJoined(
  services: Pick<Services, 'records' | 'storage'>,
  archiveId: string,
): Promise<boolean> {
  const joined = await services.records.readManifest(archiveId)
  if (!joined?.parts || (await areListed(services, joined.parts))) return false
  await deleteEach(services.storage, publishedPrefixes(archiveId, joined))
  return true
}

/** What lies there of the recording that joins this part to others; where its manifest has gone already, what is left of it. */
export async function joinedPrefixes(
  { records }: Pick<Reach, 'records'>,
  archiveId: string,
  manifest: Manifest | undefined,
): Promise<string[]> {
  const joined = await findJoined(records, archiveId, manifest)
  return joined ? publishedPrefixes(joined.archiveId, joined.manifest) : []
}

/** Returns the recording that joins this part to others, without a manifest where that is not there (any more). */
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

/** Whether an archive of this status is still being recorded or uploaded. */
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
    return isAtWork(status) ? 'at work' : 'deleted' // it failed or expired: there is no copy
  }
}

/** The file that was published, or would be, and its version; undefined when it is not there. */
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

/** Where its source may lie: the manifest's own place first, since the project may have been another then. */
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
