import { type S3Client, UploadPartCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import { type Place, storeInParts, type Target } from './multipart.ts'

/** A piece of a new object: bytes, or a range of the object it is made from (`end` exclusive), which S3 copies itself. */
export type ObjectPart = { readonly bytes: Uint8Array } | { readonly start: number; readonly end: number }

/** The object whose ranges are copied, by its ETag without quotes: nothing is taken of one that has replaced it. */
export interface CopySource {
  readonly key: string
  readonly etag: string
}

export interface Assembled {
  /** In bytes. */
  readonly size: number
  /** Without quotes. */
  readonly etag: string
}

/** S3 copies one part at about 100 MB/s, and many at once. */
const AT_ONCE = 8

/** @throws StorageError when S3 fails, or has another object now in the place of the one to copy from */
export async function assembleParts(
  s3: S3Client,
  target: Target,
  from: CopySource,
  parts: readonly ObjectPart[],
): Promise<Assembled> {
  const copied = {
    CopySource: `${target.Bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`,
    CopySourceIfMatch: `"${from.etag}"`,
  }
  async function store(part: ObjectPart, place: Place) {
    if ('bytes' in part) {
      const sent = new UploadPartCommand({ ...place, Body: part.bytes, ChecksumAlgorithm: 'CRC32' })
      const { ETag, ChecksumCRC32 } = await s3.send(sent)
      return { ETag, ChecksumCRC32 }
    }
    const CopySourceRange = `bytes=${part.start}-${part.end - 1}`
    const { CopyPartResult } = await s3.send(new UploadPartCopyCommand({ ...place, ...copied, CopySourceRange }))
    return { ETag: CopyPartResult?.ETag, ChecksumCRC32: ofWholePart(CopyPartResult?.ChecksumCRC32) }
  }
  const etag = await storeInParts(s3, target, { parts: inOrder(parts), atOnce: AT_ONCE, store })
  return { size: parts.reduce((sum, part) => sum + sizeOf(part), 0), etag: etag.replaceAll('"', '') }
}

/**
 * Leaves out a composite checksum, as in `AAAAAA==-3`. Some S3 servers answer one for a part that is copied from an object
 * made in parts, and then refuse it when the upload is completed.
 */
const ofWholePart = (checksum: string | undefined) => (checksum?.includes('-') ? undefined : checksum)

const sizeOf = (part: ObjectPart) => ('bytes' in part ? part.bytes.length : part.end - part.start)

async function* inOrder<T>(all: readonly T[]) {
  yield* all
}
