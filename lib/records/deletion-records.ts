import type { Storage } from '../aws/storage/storage.ts'
import { type DeletionRecord, deletion } from '../publish/manifest/deletion.ts'
import type { Manifest } from '../publish/manifest/manifest.ts'
import { idInIndexKey, indexPrefixes, keys } from '../show/state/keys.ts'
import { StorageError } from '../tasks/errors.ts'

/** A record and the ETag under which it may be replaced. */
export interface StoredDeletion {
  readonly document: DeletionRecord
  readonly etag: string
}

type Bucket = Pick<Storage, 'readDocument' | 'writeDocument' | 'put' | 'delete' | 'deleteAll' | 'list'>

/** @throws StorageError when it is not one that this version reads */
export async function readDeletion(storage: Bucket, archiveId: string): Promise<StoredDeletion | undefined> {
  const key = keys.deletion(archiveId)
  const stored = await storage.readDocument(key)
  if (!stored) return undefined
  const parsed = deletion.safeParse(stored.value)
  if (!parsed.success) throw new StorageError(`${key} is not a record of a deletion that this version reads.`)
  return { document: parsed.data, etag: stored.etag }
}

/** Records a deletion, and lists it; false when there is one already. */
export async function recordDeletion(storage: Bucket, document: DeletionRecord): Promise<boolean> {
  await storage.put(indexKeyOf(document), '', 'text/plain') // first, so that none is ever left unpurged
  return storage.writeDocument(keys.deletion(document.archiveId), document, undefined)
}

/** Moves a deletion to its last phase; false when another caller has changed it meanwhile. */
export const enterPhase = (
  storage: Bucket,
  { document, etag }: StoredDeletion,
  phase: Exclude<DeletionRecord['phase'], 'deleted'>,
): Promise<boolean> => storage.writeDocument(keys.deletion(document.archiveId), { ...document, phase }, etag)

/** Takes a recording that was restored off the list of those that are deleted. */
export async function forgetDeletion(storage: Bucket, document: DeletionRecord): Promise<void> {
  await storage.delete(keys.deletion(document.archiveId))
  await storage.delete(indexKeyOf(document))
}

/** The same for one that is purged: no version of the record stays. */
export async function purgeDeletion(storage: Bucket, document: DeletionRecord): Promise<void> {
  await storage.deleteAll(keys.deletion(document.archiveId))
  await storage.delete(indexKeyOf(document))
}

/** Lists ids of recordings that are deleted, those that are purged first before the others. */
export async function listDeletions(
  storage: Bucket,
  { limit, after }: { readonly limit: number; readonly after?: string },
): Promise<{ items: string[]; cursor?: string }> {
  const prefix = indexPrefixes.deletions
  const { keys: found, more } = await storage.list(prefix, { limit, ...(after && { after: prefix + after }) })
  const last = found.at(-1)
  return { items: found.map(idInIndexKey), ...(more && last && { cursor: last.slice(prefix.length) }) }
}

/** An entry of the list whose time is over. */
export interface DueDeletion {
  readonly archiveId: string
  readonly indexKey: string
  /** Milliseconds since the epoch. */
  readonly purgeAt: number
}

/** Lists recordings whose time to be restored is over, up to `limit`. */
export async function listDue(storage: Bucket, now: number, limit: number): Promise<DueDeletion[]> {
  const { keys: found } = await storage.list(indexPrefixes.deletions, { limit })
  return found
    .map((indexKey) => ({
      archiveId: idInIndexKey(indexKey),
      indexKey,
      purgeAt: Number(indexKey.slice(indexPrefixes.deletions.length).split('-')[0]),
    }))
    .filter(({ purgeAt }) => purgeAt <= now)
}

const indexKeyOf = ({ archiveId, purgeAt }: DeletionRecord) => keys.deletionIndex(Date.parse(purgeAt), archiveId)

/** Facts of a recording that its deletion keeps, for lists. */
export const factsOf = (manifest: Manifest | undefined) =>
  manifest && {
    createdAt: manifest.createdAt,
    ...(manifest.show && { show: manifest.show }),
    duration: manifest.duration,
    size: manifest.source.size,
  }
