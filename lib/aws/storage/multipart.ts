import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { callStorage } from './failures.ts'

export type MultipartTarget = CreateMultipartUploadCommandInput & { Bucket: string; Key: string }

/** The place of a part in an upload. */
export interface UploadPlace {
  readonly Bucket: string
  readonly Key: string
  readonly UploadId: string | undefined
  readonly PartNumber: number
}

export interface UploadedParts<Part> {
  /** In order. They are read no faster than they are stored, and no further once one fails. */
  readonly parts: AsyncIterable<Part>
  /** Parts that are stored concurrently. */
  readonly atOnce: number
  store(part: Part, place: UploadPlace): Promise<Omit<CompletedPart, 'PartNumber'>>
}

/**
 * Creates an object from parts, which appears when it is complete, and returns its ETag with quotes.
 * @throws {@link StorageError} when S3 fails; errors of `parts` are not changed
 */
export async function storeInParts<Part>(
  s3: S3Client,
  target: MultipartTarget,
  given: UploadedParts<Part>,
): Promise<string> {
  const { Bucket, Key } = target
  const what = `writing ${Key}`
  // Completing requires checksums of one kind for parts that are sent and parts that S3 copies.
  const create = new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' })
  const { UploadId } = await callStorage(what, () => s3.send(create))
  const upload = { Bucket, Key, UploadId }
  try {
    const Parts = await storeEach(upload, given)
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
    return (await callStorage(what, () => s3.send(complete))).ETag ?? ''
  } catch (error) {
    await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => {}) // the lifecycle rules of the bucket discard the rest
    throw error
  }
}

/** After a failure no part is started. Parts under way are awaited, because they would reappear after the upload is discarded. */
async function storeEach<Part>(
  upload: Omit<UploadPlace, 'PartNumber'>,
  { parts, atOnce, store }: UploadedParts<Part>,
): Promise<CompletedPart[]> {
  const stored: CompletedPart[] = []
  const failures: unknown[] = []
  const numbered = number(parts)
  const work = async () => {
    for await (const { PartNumber, part } of numbered) {
      if (failures.length > 0) return
      const sums = await callStorage(`writing ${upload.Key}`, () => store(part, { ...upload, PartNumber }))
      stored.push({ PartNumber, ...sums })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, () => work().catch((error: unknown) => failures.push(error))))
  if (failures.length > 0) throw failures[0]
  return stored.sort((one, other) => (one.PartNumber ?? 0) - (other.PartNumber ?? 0))
}

async function* number<Part>(parts: AsyncIterable<Part>) {
  let PartNumber = 0
  for await (const part of parts) yield { PartNumber: ++PartNumber, part }
}
