import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { attempt } from './failures.ts'

export type Target = CreateMultipartUploadCommandInput & { Bucket: string; Key: string }

/** Where a part belongs. */
export interface Place {
  readonly Bucket: string
  readonly Key: string
  readonly UploadId: string | undefined
  readonly PartNumber: number
}

export interface Parts<Part> {
  /** In their order. They are taken no faster than they are stored, and not to their end when one cannot be. */
  readonly parts: AsyncIterable<Part>
  /** How many are stored side by side. */
  readonly atOnce: number
  /** Sends one to S3, or has S3 copy it. */
  store(part: Part, place: Place): Promise<Omit<CompletedPart, 'PartNumber'>>
}

/**
 * Makes an object of parts and gives its ETag, as S3 writes it. Nothing is there before all of it is; what has come so far is
 * discarded when anything fails.
 * @throws StorageError when S3 fails; what the parts throw, unchanged
 */
export async function storeInParts<Part>(s3: S3Client, target: Target, given: Parts<Part>): Promise<string> {
  const { Bucket, Key } = target
  const what = `writing ${Key}`
  // Stated, so that parts that are sent and parts that S3 copies have sums of one kind, which completing asks for.
  const create = new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' })
  const { UploadId } = await attempt(what, () => s3.send(create))
  const upload = { Bucket, Key, UploadId }
  try {
    const Parts = await storeEach(upload, given)
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
    return (await attempt(what, () => s3.send(complete))).ETag ?? ''
  } catch (error) {
    await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => {}) // the bucket's rules discard what is left
    throw error
  }
}

/** Once one has failed no other is begun, and those under way are waited for: they would come back after being discarded. */
async function storeEach<Part>(
  upload: Omit<Place, 'PartNumber'>,
  { parts, atOnce, store }: Parts<Part>,
): Promise<CompletedPart[]> {
  const stored: CompletedPart[] = []
  const failures: unknown[] = []
  const numbered = number(parts)
  const work = async () => {
    for await (const { PartNumber, part } of numbered) {
      if (failures.length > 0) return
      const sums = await attempt(`writing ${upload.Key}`, () => store(part, { ...upload, PartNumber }))
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
