import { type S3Client, UploadPartCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import { type MultipartTarget, storeInParts, type UploadPlace } from './multipart.ts'

/** A piece of a new object: bytes, or a range (`end` exclusive) of the source, which S3 copies. */
export type ObjectPart = { readonly bytes: Uint8Array } | { readonly start: number; readonly end: number }

/** The object whose ranges are copied. Its ETag, without quotes, prevents copying from a replaced object. */
export interface CopySource {
  readonly key: string
  readonly etag: string
}

/** Parts that are copied at once. S3 copies one part at about 100 MB/s. */
const MAX_CONCURRENT = 8

/**
 * Makes an object of bytes and ranges of another.
 * @returns its size in bytes, and its ETag without quotes
 * @throws {@link StorageError} when S3 fails, or the source was replaced
 */
export async function assembleParts(
  s3: S3Client,
  target: MultipartTarget,
  from: CopySource,
  parts: readonly ObjectPart[],
) {
  const copied = {
    CopySource: `${target.Bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`,
    CopySourceIfMatch: `"${from.etag}"`,
  }
  async function store(part: ObjectPart, place: UploadPlace) {
    if ('bytes' in part) {
      const sent = new UploadPartCommand({ ...place, Body: part.bytes, ChecksumAlgorithm: 'CRC32' })
      const { ETag, ChecksumCRC32 } = await s3.send(sent)
      return { ETag, ChecksumCRC32 }
    }
    const CopySourceRange = `bytes=${part.start}-${part.end - 1}`
    const { CopyPartResult } = await s3.send(new UploadPartCopyCommand({ ...place, ...copied, CopySourceRange }))
    return { ETag: CopyPartResult?.ETag, ChecksumCRC32: ofWholePart(CopyPartResult?.ChecksumCRC32) }
  }
  const etag = await storeInParts(s3, target, { parts: inOrder(parts), atOnce: MAX_CONCURRENT, store })
  return { size: parts.reduce((sum, part) => sum + sizeOf(part), 0), etag: etag.replaceAll('"', '') }
}

/**
 * Omits a composite checksum such as `AAAAAA==-3`. Some S3 servers return one for a part that is copied from a multipart
 * object, and refuse it when the upload is completed.
 */
const ofWholePart = (checksum: string | undefined) => (checksum?.includes('-') ? undefined : checksum)

const sizeOf = (part: ObjectPart) => ('bytes' in part ? part.bytes.length : part.end - part.start)

async function* inOrder<T>(all: readonly T[]) {
  yield* all
}
