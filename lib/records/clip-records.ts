import type { Storage } from '../aws/storage/storage.ts'
import { type ClipRecord, clipRecord, MAX_CLIPS } from '../publish/manifest/clip.ts'
import { tagsFor } from '../publish/manifest/manifest.ts'
import { keys } from '../show/state/keys.ts'
import { readStored } from './stored-documents.ts'

type Bucket = Pick<Storage, 'readDocument' | 'writeDocument'>

/** Reads the record of a clip, with its ETag. @throws {@link StorageError} when this version cannot read the record */
export const readClip = (storage: Bucket, archiveId: string, clipId: string) =>
  readStored(storage, keys.clip(archiveId, clipId), clipRecord)

/** Writes the record of a clip if it has this ETag, or if there is none; else returns false. */
export const writeClip = (
  storage: Bucket,
  clip: ClipRecord,
  { etag, keepDays }: { readonly etag?: string; readonly keepDays: number | null | undefined },
): Promise<boolean> => storage.writeDocument(keys.clip(clip.archiveId, clip.clipId), clip, etag, tagsFor(keepDays))

/**
 * Records a clip, and returns it, or an earlier one with its id. S3 also refuses a write that meets another one, and the other one may
 * have failed or have been a deletion: then it is written again.
 */
export async function recordClip<Clip extends ClipRecord>(
  storage: Bucket,
  clip: Clip,
  { keepDays }: { readonly keepDays: number | null | undefined },
): Promise<Clip | ClipRecord> {
  if (await writeClip(storage, clip, { keepDays })) return clip
  return (await readClip(storage, clip.archiveId, clip.clipId))?.document ?? recordClip(storage, clip, { keepDays })
}

/** Lists the clips of a recording, the earliest order first. */
export async function listClips(storage: Bucket & Pick<Storage, 'list'>, archiveId: string): Promise<ClipRecord[]> {
  const prefix = keys.clips(archiveId)
  // Each clip has a record and a file; concurrent orders may exceed the limit a little.
  const { keys: found } = await storage.list(prefix, { limit: 4 * MAX_CLIPS })
  const ids = found
    .filter((key) => key.endsWith('/clip.json'))
    .map((key) => key.slice(prefix.length).split('/')[0] ?? '')
  const read = await Promise.all(ids.map((clipId) => readClip(storage, archiveId, clipId)))
  return read
    .flatMap((one) => one?.document ?? [])
    .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
}
