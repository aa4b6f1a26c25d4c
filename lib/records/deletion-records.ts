import type { Storage } from '../aws/storage/storage.ts'
import { type DeletionRecord, deletion } from '../publish/manifest/deletion.ts'
import type { Manifest } from '../publish/manifest/manifest.ts'
import { idInIndexKey, indexPrefixes, keys } from '../show/state/keys.ts'
import { listIds, type Page, type PageOptions } from './records.ts'
import { readStored } from './stored-documents.ts'

export type StoredDeletion = NonNullable<Awaited<ReturnType<typeof readDeletion>>>

type Bucket = Pick<Storage, 'readDocument' | 'writeDocument' | 'put' | 'delete' | 'deleteAll' | 'list'>

/** Reads the record of a deletion. @throws {@link StorageError} when this version cannot read the record */
export const readDeletion = (storage: Bucket, archiveId: string) =>
  readStored(storage, keys.deletion(archiveId), deletion)

/** Records and lists a deletion, unless there is a record already: then it returns false. */
export async function recordDeletion(storage: Bucket, document: DeletionRecord): Promise<boolean> {
  await storage.put(indexKeyOf(document), '', 'text/plain') // first, so that every deletion is purged
  return storage.writeDocument(keys.deletion(document.archiveId), document, undefined)
}

/** Moves a deletion to its last phase, unless another call has changed it meanwhile: then it returns false. */
export const enterPhase = (
  storage: Bucket,
  { document, etag }: StoredDeletion,
  phase: Exclude<DeletionRecord['phase'], 'deleted'>,
): Promise<boolean> => storage.writeDocument(keys.deletion(document.archiveId), { ...document, phase }, etag)

/** Removes the record of a recording that was restored. */
export async function forgetDeletion(storage: Bucket, document: DeletionRecord): Promise<void> {
  await storage.delete(keys.deletion(document.archiveId))
  await storage.delete(indexKeyOf(document))
}

/** Removes all versions of the record of a recording that is purged. */
export async function purgeDeletion(storage: Bucket, document: DeletionRecord): Promise<void> {
  await storage.deleteAll(keys.deletion(document.archiveId))
  await storage.delete(indexKeyOf(document))
}

/** Lists the ids of deleted recordings in the order in which they are purged. */
export const listDeletions = (storage: Bucket, options: PageOptions): Promise<Page<string>> =>
  listIds(storage, indexPrefixes.deletions, options)

/** A deletion that is due to be purged. */
export interface DueDeletion {
  readonly archiveId: string
  readonly indexKey: string
  /** Milliseconds since the epoch. */
  readonly purgeAt: number
}

/** Lists up to `limit` recordings that cannot be restored any more. */
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

/** Returns the facts of a recording that lists show after its deletion. */
export const factsOf = (manifest: Manifest | undefined) =>
  manifest && {
    createdAt: manifest.createdAt,
    ...(manifest.show && { show: manifest.show }),
    duration: manifest.duration,
    size: manifest.source.size,
  }
