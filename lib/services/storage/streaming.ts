import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { attempt } from './failures.ts'

/** What a stream turned out to be; SHA-256 in lowercase hex. */
export interface Streamed {
  readonly size: number
  readonly sha256: string
}

/** Up to 80 GB in the 10,000 parts that an upload may have; two of them in memory at once, and what is read of a third. */
const PART = { partSize: 8 * 2 ** 20, queueSize: 2 } as const

/**
 * Uploads an object as it comes. Nothing of it stays when it breaks off.
 * @throws StorageError when S3 fails; what the body throws, unchanged
 */
export async function upload(
  s3: S3Client,
  target: PutObjectCommandInput & { Key: string },
  body: AsyncIterable<Uint8Array>,
): Promise<Streamed> {
  const hash = createHash('sha256')
  let size = 0
  let broken: { readonly error: unknown } | undefined
  async function* measured() {
    try {
      for await (const chunk of body) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    } catch (error) {
      if (!Body.destroyed) broken = { error } // else nobody takes it any more
      throw error
    }
  }
  const Body = Readable.from(measured(), { objectMode: false }).on('error', () => {}) // it is thrown as well
  try {
    await attempt(`writing ${target.Key}`, () =>
      new Upload({ client: s3, params: { ...target, Body }, ...PART }).done(),
    )
  } catch (error) {
    Body.destroy()
    throw broken ? broken.error : error
  }
  return { size, sha256: hash.digest('hex') }
}
