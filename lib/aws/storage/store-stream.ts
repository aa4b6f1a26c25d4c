import { createHash } from 'node:crypto'
import { PutObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { attempt } from './failures.ts'
import { type Place, storeInParts, type Target } from './multipart.ts'

/** What a stream turned out to be; SHA-256 in lowercase hex. */
export interface Streamed {
  readonly size: number
  readonly sha256: string
}

/** The least that S3 takes, for the sake of memory; up to 50 GB in the 10,000 parts that there may be. */
const PART = 5 * 2 ** 20
/** In memory; and what is read of a third. */
const AT_ONCE = 2

/**
 * Stores an object as it comes, in parts where it is larger than one.
 * @throws StorageError when S3 fails; what the body throws, unchanged
 */
export async function storeStream(s3: S3Client, target: Target, body: AsyncIterable<Uint8Array>): Promise<Streamed> {
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
    else await storeInParts(s3, target, { parts: all(first, pieces), atOnce: AT_ONCE, store: storePart })
  } finally {
    await pieces.return(undefined) // so that whoever gives the body learns when nobody takes it any more
  }
  return { size, sha256: hash.digest('hex') }

  async function storePart(Body: Buffer, place: Place) {
    const sent = new UploadPartCommand({ ...place, Body, ChecksumAlgorithm: 'CRC32' })
    leaveBodyUnsigned(sent)
    const { ETag, ChecksumCRC32 } = await s3.send(sent)
    if (Body.length === PART) spare.push(Body)
    return { ETag, ChecksumCRC32 }
  }
}

async function storeWhole(s3: S3Client, target: Target, Body: Buffer): Promise<void> {
  const sent = new PutObjectCommand({ ...target, Body, ContentLength: Body.length })
  await attempt(`writing ${target.Key}`, () => s3.send(sent))
}

/** Its CRC is signed, and tells whether all came over; a SHA-256 for the signature would take both sides as long again. */
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

/** Pieces as large as a part, and what is left; none of an empty body. They lie in buffers that `spare` has, as far as it goes. */
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
      part ??= spare.pop() ?? Buffer.allocUnsafeSlow(PART)
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

async function* all(first: Buffer, rest: AsyncIterable<Buffer>) {
  yield first
  yield* rest
}
