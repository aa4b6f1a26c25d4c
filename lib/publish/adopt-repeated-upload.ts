import { readDeletion } from '../records/deletion-records.ts'
import type { Services } from '../services.ts'
import { StorageError } from '../tasks/errors.ts'
import { tagsFor } from './manifest/manifest.ts'

interface Upload {
  readonly archiveId: string
  readonly key: string
  readonly etag: string
}

/**
 * Points the links of a published recording to the new version of its file: the platform uploads again when it does not learn
 * that an upload has arrived. The bucket removes former versions after some days, and the new version has no tag that limits its
 * retention. A file that was withheld in between is not the current one any more.
 */
export async function adoptRepeatedUpload(
  { archiveId, key, etag }: Upload,
  { records, storage }: Pick<Services, 'records' | 'storage'>,
): Promise<void> {
  const [manifest, head] = await Promise.all([records.readManifestIfOwn(archiveId), storage.headOf(key)])
  const versionId = head?.etag === etag ? head.versionId : undefined
  const { source, keepDays } = manifest ?? {}
  if (source?.etag !== etag || versionId === undefined || versionId === source.versionId) return
  if (keepDays) await storage.tag(key, tagsFor(keepDays))
  const isCurrent = async () =>
    (await storage.headOf(key))?.versionId === versionId && !(await readDeletion(storage, archiveId))
  await records.changeManifest(
    archiveId,
    (earlier) => {
      if (!earlier) throw new StorageError(`The recording ${archiveId} was deleted while its file was uploaded again.`)
      if (earlier.source.etag !== etag) return earlier
      const { withheld: _, ...kept } = earlier
      return { ...kept, source: { ...earlier.source, versionId } }
    },
    isCurrent,
  )
}
