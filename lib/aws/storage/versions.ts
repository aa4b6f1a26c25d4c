import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { callStorage } from './failures.ts'

const MAX_AT_ONCE = 20

interface Version {
  readonly Key: string | undefined
  readonly VersionId: string | undefined
}

/** Creates operations on all versions of every object whose key begins with a prefix. */
export function createStoredVersions(s3: S3Client, bucket: string) {
  const deleteEach = async (versions: readonly Partial<Version>[]) => {
    const left = versions.values() // shared by the workers
    const work = async () => {
      for (const version of left) await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: '', ...version }))
    }
    await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, versions.length) }, work))
    return versions.length
  }
  /** Reads the first page of versions: the next page becomes the first once this one is deleted. */
  const firstVersions = async (prefix: string): Promise<Version[]> => {
    const answer = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix }))
    return [...(answer.Versions ?? []), ...(answer.DeleteMarkers ?? [])].map(toVersion)
  }
  const latestMarkers = async (prefix: string): Promise<Version[]> => {
    const found: Version[] = []
    for await (const { DeleteMarkers = [] } of pagesOfVersions(s3, bucket, prefix))
      found.push(...DeleteMarkers.filter(({ IsLatest }) => IsLatest).map(toVersion))
    return found
  }
  return {
    /** Deletes every version, and returns their number. Versions that are written meanwhile may stay. */
    deleteAll: (prefix: string) =>
      callStorage(`deleting ${prefix}`, async () => {
        let count = 0
        for (let found = await firstVersions(prefix); found.length > 0; found = await firstVersions(prefix))
          count += await deleteEach(found)
        return count
      }),

    /** Covers every object with a delete marker, and returns their number. No link reads them until `unhide`. */
    hide: (prefix: string) =>
      callStorage(`hiding ${prefix}`, async () => {
        let count = 0
        for (;;) {
          const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))
          if (Contents.length === 0) return count
          count += await deleteEach(Contents.map(({ Key }) => ({ Key }) as Partial<Version>))
        }
      }),

    /** Removes delete markers that are the newest version of their object, and returns their number. */
    unhide: (prefix: string) => callStorage(`restoring ${prefix}`, async () => deleteEach(await latestMarkers(prefix))),
  }
}

/** Lists the versions and delete markers of every object whose key begins with a prefix, by pages. */
export async function* pagesOfVersions(
  s3: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<ListObjectVersionsCommandOutput> {
  for (let from: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {}; from; ) {
    const command = new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, ...from })
    const page: ListObjectVersionsCommandOutput = await s3.send(command)
    yield page
    const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page
    from = IsTruncated && KeyMarker ? { KeyMarker, ...(VersionIdMarker && { VersionIdMarker }) } : undefined
  }
}

const toVersion = ({ Key, VersionId }: { Key?: string | undefined; VersionId?: string | undefined }): Version => ({
  Key,
  VersionId,
})
