import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'

/** A piece of a new object: bytes, or a range of the object it is made from (`end` exclusive), which S3 copies itself. */
export type ObjectPart = { readonly bytes: Uint8Array } | { readonly start: number; readonly end: number }

export interface Assembled {
  /** In bytes. */
  readonly size: number
  /** Without quotes. */
  readonly etag: string
}

type Target = CreateMultipartUploadCommandInput & { Bucket: string; Key: string }

/** S3 copies one part at about 100 MB/s, and many at once. */
const AT_ONCE = 8

/** Makes an object of parts. What has come so far is discarded when one of them fails; nothing is there before all of it is. */
export async function assembleParts(
  s3: S3Client,
  target: Target,
  from: { key: string; etag: string },
  parts: readonly ObjectPart[],
): Promise<Assembled> {
  // Stated, so that parts that are sent and parts that are copied have sums of one kind, which completing asks for.
  const created = await s3.send(new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }))
  const upload = { Bucket: target.Bucket, Key: target.Key, UploadId: created.UploadId }
  try {
    const Parts = await eachAtOnce(parts, (part, n) => makePart({ ...upload, PartNumber: n + 1 }, part))
    const { ETag } = await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
    return { size: parts.reduce((sum, part) => sum + sizeOf(part), 0), etag: (ETag ?? '').replaceAll('"', '') }
  } catch (error) {
    await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => {}) // the bucket's rules discard what is left
    throw error
  }

  async function makePart(place: typeof upload & { PartNumber: number }, part: ObjectPart): Promise<CompletedPart> {
    const { PartNumber } = place
    if ('bytes' in part) {
      const { ETag, ChecksumCRC32 } = await s3.send(new UploadPartCommand({ ...place, Body: part.bytes }))
      return { PartNumber, ETag, ChecksumCRC32 }
    }
    const { CopyPartResult } = await s3.send(
      new UploadPartCopyCommand({
        ...place,
        CopySource: `${target.Bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`,
        CopySourceIfMatch: `"${from.etag}"`,
        CopySourceRange: `bytes=${part.start}-${part.end - 1}`,
      }),
    )
    return { PartNumber, ETag: CopyPartResult?.ETag, ChecksumCRC32: CopyPartResult?.ChecksumCRC32 }
  }
}

const sizeOf = (part: ObjectPart) => ('bytes' in part ? part.bytes.length : part.end - part.start)

/** Does a few at a time, in their order. Once one has failed no other is begun, and those under way are waited for. */
async function eachAtOnce<T, R>(all: readonly T[], act: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  const left = all.entries()
  const work = async () => {
    for (const [index, one] of left) {
      if (failures.length > 0) return
      results[index] = await act(one, index)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error: unknown) => failures.push(error))))
  if (failures.length > 0) throw failures[0]
  return results
}
