import { createHash } from 'node:crypto'
import { PutObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { callStorage } from './failures.ts'
import { type MultipartTarget, storeInParts, type UploadPlace } from './multipart.ts'

/** Bytes: the minimum of S3, which saves memory. 10,000 parts hold 50 GB. */
const PART = 5 * 2 ** 20
/** Bytes of the first memory of a body. It doubles up to a part: most bodies are much smaller than one. */
const FIRST = 64 * 2 ** 10
/** Parts that are stored at once, beside a third that is being read. */
const MAX_CONCURRENT = 2

/**
 * Stores a stream as an object, in parts if it is large.
 * @returns its size in bytes, and its SHA-256 in lower-case hexadecimal
 * @throws {@link StorageError} when S3 fails
 */
export async function storeStream(s3: S3Client, target: MultipartTarget, body: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let size = 0
  const spare: Buffer[] = []
  const see = (chunk: Uint8Array) => {
    hash.update(chunk)
    size += chunk.length
  }
  const pieces = cut(body, see, spare)
  try {
    const first = (await pieces.next()).value ?? Buffer.alloc(0)
    if (first.length < PART) await storeWhole(s3, target, first)
    else await storeInParts(s3, target, { parts: all(first, pieces), atOnce: MAX_CONCURRENT, store: storePart })
  } finally {
    await pieces.return(undefined) // stops the producer after a failure
  }
  return { size, sha256: hash.digest('hex') }

  async function storePart(Body: Buffer, place: UploadPlace) {
    const sent = new UploadPartCommand({ ...place, Body, ChecksumAlgorithm: 'CRC32' })
    leaveBodyUnsigned(sent)
    const { ETag, ChecksumCRC32 } = await s3.send(sent)
    if (Body.length === PART) spare.push(Body)
    return { ETag, ChecksumCRC32 }
  }
}

async function storeWhole(s3: S3Client, target: MultipartTarget, Body: Buffer): Promise<void> {
  const sent = new PutObjectCommand({ ...target, Body, ContentLength: Body.length })
  await callStorage(`writing ${target.Key}`, () => s3.send(sent))
}

/** The signed CRC detects damage. Hashing the body with SHA-256 too would double the time on both sides. */
function leaveBodyUnsigned({ middlewareStack }: UploadPartCommand): void {
  middlewareStack.add(
    (next) => (given) => {
      const { headers } = given.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
      return next(given)
    },
    { step: 'build' },
  )
}

/** Cuts a body into parts, the last one shorter; none for an empty body. Buffers in `spare` are reused. */
async function* cut(
  body: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => void,
  spare: Buffer[],
): AsyncGenerator<Buffer, undefined> {
  let part: Buffer | undefined
  let filled = 0
  for await (const chunk of body) {
    see(chunk)
    for (let taken = 0; taken < chunk.length; ) {
      part = withRoom(part ?? spare.pop() ?? Buffer.allocUnsafeSlow(FIRST), filled, chunk.length - taken)
      const more = chunk.subarray(taken, taken + PART - filled)
      part.set(more, filled)
      filled += more.length
      taken += more.length
      if (filled < PART) break
      yield part
      part = undefined
      filled = 0
    }
  }
  if (part) yield part.subarray(0, filled)
}

/** Returns memory with its first bytes and room for `more`, up to a part. */
function withRoom(memory: Buffer, filled: number, more: number): Buffer {
  const needed = Math.min(filled + more, PART)
  if (memory.length >= needed) return memory
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(needed, 2 * memory.length), PART))
  memory.copy(larger, 0, 0, filled)
  return larger
}

async function* all(first: Buffer, rest: AsyncIterable<Buffer>) {
  yield first
  yield* rest
}
