import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { realClock } from '../../../../../lib/clock.ts'
import { createInProcessHandler } from '../../../../../local/cloud/functions/in-process-handler.ts'
import { createS3, type S3 } from '../../../../../local/cloud/s3/s3.ts'
import { ACCESS_KEY, BUCKET, pattern, refusal, SECRET } from '../endpoints.ts'

describe('createS3 with a directory', () => {
  let directory: string
  let s3: S3
  let client: S3Client
  const open = () => {
    s3 = createS3({ directory, clock: realClock, secretOf: (id) => (id === ACCESS_KEY ? SECRET : undefined) })
    s3.createBucket(BUCKET)
    client = new S3Client({
      endpoint: 'http://s3.invalid',
      region: 'us-east-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET },
      requestHandler: createInProcessHandler((request) => s3.fetch(request)) as NonNullable<
        S3ClientConfig['requestHandler']
      >,
    })
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 's3-store-'))
    open()
  })
  afterEach(() => {
    s3.close()
    rmSync(directory, { recursive: true })
  })

  const blobs = () => readdirSync(join(directory, 'blobs'))
  const put = (Key: string, Body: string | Uint8Array, more: object = {}) =>
    client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...more }))
  const remove = (Key: string) => client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key }))
  const text = async (Key: string) =>
    (await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }))).Body?.transformToString()

  const create = async (Key: string) => {
    const made = new CreateMultipartUploadCommand({ Bucket: BUCKET, Key, ChecksumAlgorithm: 'CRC32' })
    return { Bucket: BUCKET, Key, UploadId: (await client.send(made)).UploadId }
  }
  const crcOf = (bytes: Uint8Array) => {
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(bytes))
    return crc.toString('base64')
  }

  it('keeps objects and open uploads when it is closed and opened again', async () => {
    await put('kept', 'across restarts', { Metadata: { a: 'b' } })
    const upload = await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key: 'open' }))
    const at = { Bucket: BUCKET, Key: 'open', UploadId: upload.UploadId }
    await client.send(new UploadPartCommand({ ...at, PartNumber: 1, Body: 'part' }))
    s3.close()
    open()
    expect(await text('kept')).toBe('across restarts')
    expect(blobs()).toHaveLength(2)
    await client.send(new AbortMultipartUploadCommand(at))
    expect(blobs()).toHaveLength(1)
  })

  it('removes what a crash left behind, and nothing else', async () => {
    await put('kept', 'here')
    s3.close()
    writeFileSync(join(directory, 'blobs', '999.part'), 'unfinished')
    writeFileSync(join(directory, 'blobs', '998'), 'never recorded')
    open()
    expect(blobs()).toHaveLength(1)
    expect(await text('kept')).toBe('here')
  })

  it('returns the checksum of a copied range without reading the parts that it covers', async () => {
    const MIB = 1024 * 1024
    const parts = [1, 2, 3].map((seed) => pattern(5 * MIB, seed))
    const source = await create('source')
    const sent = []
    for (const [index, Body] of parts.entries()) {
      const { ETag, ChecksumCRC32 } = await client.send(
        new UploadPartCommand({ ...source, PartNumber: index + 1, Body }),
      )
      sent.push({ PartNumber: index + 1, ETag, ChecksumCRC32 })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...source, MultipartUpload: { Parts: sent } }))

    const [, second = ''] = blobs().sort((a, b) => Number(a) - Number(b))
    writeFileSync(join(directory, 'blobs', second), '')
    const copy = new UploadPartCopyCommand({
      ...(await create('copy')),
      PartNumber: 1,
      CopySource: `${BUCKET}/source`,
      CopySourceRange: `bytes=100-${11 * MIB - 1}`,
    })
    const { CopyPartResult } = await client.send(copy)
    expect(CopyPartResult?.ChecksumCRC32).toBe(crcOf(Buffer.concat(parts).subarray(100, 11 * MIB)))
  })

  it('opens what was kept before checksums were', async () => {
    await put('old', 'of version 1')
    s3.close()
    const index = new DatabaseSync(join(directory, 'index.sqlite'))
    index.exec('ALTER TABLE extents DROP COLUMN crc32; PRAGMA user_version = 1')
    index.close()
    open()
    await put('new', 'of version 2')
    expect([await text('old'), await text('new')]).toEqual(['of version 1', 'of version 2'])
    const at = await create('copy')
    const copy = new UploadPartCopyCommand({ ...at, PartNumber: 1, CopySource: `${BUCKET}/old` })
    const sum = (await client.send(copy)).CopyPartResult?.ChecksumCRC32
    expect(sum).toBe(crcOf(Buffer.from('of version 1')))
  })

  it('is not opened twice at a time', () => {
    expect(() => createS3({ directory, clock: realClock, secretOf: () => undefined })).toThrow(
      'is in use by another process',
    )
  })

  it('frees the bytes of what is replaced, deleted or refused', async () => {
    await put('a', 'one')
    await put('a', 'two')
    expect(blobs()).toHaveLength(1)
    expect(await refusal(put('a', 'three', { IfNoneMatch: '*' }))).toMatchObject({ name: 'PreconditionFailed' })
    expect(await refusal(put('b', 'four', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' }))).toMatchObject({
      name: 'BadDigest',
    })
    expect(blobs()).toHaveLength(1)
    await remove('a')
    expect(blobs()).toEqual([])
    await put('empty', '')
    expect(blobs()).toEqual([])
  })

  it('keeps one set of bytes for all copies, until the last is gone', async () => {
    await put('original', pattern(100_000))
    const CopySource = `${BUCKET}/original`
    await client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: 'copy', CopySource }))
    expect(blobs()).toHaveLength(1)
    await remove('original')
    expect(blobs()).toHaveLength(1)
    await remove('copy')
    expect(blobs()).toEqual([])
  })

  it('lets go of bytes when a reader turns away', async () => {
    await put('large', pattern(3_000_000))
    const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'large' }))
    await remove('large')
    expect(blobs()).toHaveLength(1)
    const reader = Body as { destroy?: () => void } | undefined
    reader?.destroy?.()
    await expect.poll(blobs).toEqual([])
  })
})
