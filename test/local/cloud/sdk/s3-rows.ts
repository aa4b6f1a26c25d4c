import { randomUUID } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  ListPartsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectTaggingCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { expect } from 'vitest'
import { refusal } from '../small-cloud.ts'
import type { Row } from './clients.ts'

const Bucket = 'media'
const MIB = 2 ** 20
/** A key of this row alone. */
const newKey = () => `rows/${randomUUID()}`

const put = (s3: S3Client, Key: string, Body: PutObjectCommandInput['Body'] = 'hello', more: object = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
const get = (s3: S3Client, Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  s3.send(new GetObjectCommand({ Bucket, Key, ...more }))
const text = async (...args: Parameters<typeof get>) => (await get(...args)).Body?.transformToString()

export const s3Rows: Row[] = [
  ...(['CRC32', 'CRC64NVME', 'SHA256'] as const).map(
    (ChecksumAlgorithm): Row => [
      'PutObject',
      `verifies ${ChecksumAlgorithm}, which GetObject gives back`,
      async ({ s3 }) => {
        const [Key, name] = [newKey(), `Checksum${ChecksumAlgorithm}`]
        const written = await put(s3, Key, 'hello', { ChecksumAlgorithm })
        const read = await get(s3, Key, { ChecksumMode: 'ENABLED' })
        expect(read[name as 'ChecksumCRC32']).toBe(written[name as 'ChecksumCRC32'])
        expect(await read.Body?.transformToString()).toBe('hello')
        const wrong = put(s3, newKey(), 'hullo', { [name]: written[name as 'ChecksumCRC32'] })
        expect(await refusal(wrong)).toBe('BadDigest')
      },
    ],
  ),
  [
    'PutObject',
    'with If-None-Match makes an object once',
    async ({ s3 }) => {
      const Key = newKey()
      const attempts = Array.from({ length: 5 }, () => put(s3, Key, 'x', { IfNoneMatch: '*' }))
      const settled = await Promise.allSettled(attempts)
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    },
  ],
  [
    'PutObject',
    'with If-Match replaces just the object that was read',
    async ({ s3 }) => {
      const Key = newKey()
      const { ETag } = await put(s3, Key)
      await put(s3, Key, 'second', { IfMatch: ETag })
      expect(await refusal(put(s3, Key, 'third', { IfMatch: ETag }))).toBe('PreconditionFailed')
    },
  ],
  [
    'GetObject',
    'gives a range, a suffix, and refuses what is beyond the end',
    async ({ s3 }) => {
      const Key = newKey()
      await put(s3, Key, '0123456789')
      expect(await text(s3, Key, { Range: 'bytes=2-4' })).toBe('234')
      expect(await text(s3, Key, { Range: 'bytes=-3' })).toBe('789')
      expect(await refusal(get(s3, Key, { Range: 'bytes=10-' }))).toBe('InvalidRange')
      expect(await refusal(get(s3, newKey()))).toBe('NoSuchKey')
    },
  ],
  [
    'HeadObject',
    'gives metadata, and 404 for what is not there',
    async ({ s3 }) => {
      const Key = newKey()
      await put(s3, Key, 'hello', { Metadata: { show: 'a' }, ContentType: 'video/mp4' })
      const head = await s3.send(new HeadObjectCommand({ Bucket, Key }))
      expect(head).toMatchObject({ ContentLength: 5, ContentType: 'video/mp4', Metadata: { show: 'a' } })
      expect(await refusal(s3.send(new HeadObjectCommand({ Bucket, Key: newKey() })))).toBe('NotFound')
    },
  ],
  [
    'CopyObject',
    'keeps or replaces metadata, and knows the version it copies',
    async ({ s3 }) => {
      const [from, Key] = [newKey(), newKey()]
      const { VersionId } = await put(s3, from, 'first', { Metadata: { a: '1' } })
      await put(s3, from, 'second')
      const CopySource = `${Bucket}/${from}?versionId=${VersionId}`
      const copy = await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource }))
      expect([copy.CopySourceVersionId, await text(s3, Key)]).toEqual([VersionId, 'first'])
      expect((await get(s3, Key)).Metadata).toEqual({ a: '1' })
    },
  ],
  [
    'CreateMultipartUpload … CompleteMultipartUpload',
    'by lib-storage, in parts',
    async ({ s3 }) => {
      const [Key, Body] = [newKey(), Buffer.alloc(11 * MIB, 7)]
      await new Upload({ client: s3, params: { Bucket, Key, Body } }).done()
      const read = await get(s3, Key)
      expect([read.ContentLength, read.ETag]).toEqual([11 * MIB, expect.stringMatching(/-3"$/)])
      expect(Buffer.from((await read.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true)
    },
  ],
  [
    'UploadPartCopy',
    'makes parts of ranges of another object',
    async ({ s3 }) => {
      const [from, Key] = [newKey(), newKey()]
      await put(s3, from, Buffer.concat([Buffer.alloc(5 * MIB, 1), Buffer.from('tail')]))
      const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }))
      const at = { Bucket, Key, UploadId }
      const ranges = [`bytes=0-${5 * MIB - 1}`, `bytes=${5 * MIB}-${5 * MIB + 3}`]
      const Parts = await Promise.all(
        ranges.map(async (CopySourceRange, index) => {
          const copy = { ...at, CopySource: `${Bucket}/${from}`, CopySourceRange, PartNumber: index + 1 }
          const { CopyPartResult } = await s3.send(new UploadPartCopyCommand(copy))
          return { PartNumber: index + 1, ETag: CopyPartResult?.ETag }
        }),
      )
      expect((await s3.send(new ListPartsCommand(at))).Parts?.map(({ Size }) => Size)).toEqual([5 * MIB, 4])
      await s3.send(new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts } }))
      expect(await text(s3, Key, { Range: 'bytes=-4' })).toBe('tail')
    },
  ],
  [
    'AbortMultipartUpload',
    'leaves nothing',
    async ({ s3 }) => {
      const Key = newKey()
      const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }))
      await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'x' }))
      await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
      expect(await refusal(s3.send(new ListPartsCommand({ Bucket, Key, UploadId })))).toBe('NoSuchUpload')
    },
  ],
  [
    'ListObjectsV2',
    'lists by prefix and delimiter, in pages',
    async ({ s3 }) => {
      const Prefix = `${newKey()}/`
      for (const name of ['a/1', 'a/2', 'b', 'c', 'd/1']) await put(s3, `${Prefix}${name}`)
      const seen: (string | undefined)[] = []
      let ContinuationToken: string | undefined
      do {
        const page = { Bucket, Prefix, Delimiter: '/', MaxKeys: 2, ContinuationToken }
        const answer = await s3.send(new ListObjectsV2Command(page))
        const names = [
          ...(answer.CommonPrefixes ?? []).map((one) => one.Prefix),
          ...(answer.Contents ?? []).map((one) => one.Key),
        ]
        seen.push(...names)
        ContinuationToken = answer.NextContinuationToken
      } while (ContinuationToken)
      expect(seen.sort()).toEqual(['a/', 'b', 'c', 'd/'].map((name) => `${Prefix}${name}`))
    },
  ],
  [
    'ListObjectVersions',
    'lists versions and delete markers, newest first',
    async ({ s3 }) => {
      const Key = newKey()
      const [first, second] = [await put(s3, Key, '1'), await put(s3, Key, '2')]
      const marker = await s3.send(new DeleteObjectCommand({ Bucket, Key }))
      const listed = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key }))
      expect(listed.Versions?.map(({ VersionId }) => VersionId)).toEqual([second.VersionId, first.VersionId])
      expect(listed.DeleteMarkers).toMatchObject([{ VersionId: marker.VersionId, IsLatest: true }])
      expect(await refusal(get(s3, Key))).toBe('NoSuchKey')
      expect(await text(s3, Key, { VersionId: first.VersionId })).toBe('1')
      expect((await s3.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBe('Enabled')
    },
  ],
  [
    'DeleteObject',
    'by version is permanent, with If-Match only the version that was read',
    async ({ s3 }) => {
      const Key = newKey()
      const { VersionId, ETag } = await put(s3, Key, '1')
      expect(await refusal(s3.send(new DeleteObjectCommand({ Bucket, Key, IfMatch: '"x"' })))).toBe(
        'PreconditionFailed',
      )
      await s3.send(new DeleteObjectCommand({ Bucket, Key, IfMatch: ETag }))
      await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))
      expect(await refusal(get(s3, Key, { VersionId }))).toBe('NoSuchVersion')
    },
  ],
  [
    'DeleteObjects',
    'deletes many at once',
    async ({ s3 }) => {
      const Objects = [{ Key: newKey() }, { Key: newKey() }]
      for (const { Key } of Objects) await put(s3, Key)
      const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
      expect([Deleted?.length, Errors]).toEqual([2, undefined])
      for (const { Key } of Objects) expect(await refusal(get(s3, Key))).toBe('NoSuchKey')
    },
  ],
  [
    'presigned addresses',
    'open an object until they expire',
    async ({ s3 }) => {
      const Key = newKey()
      const command = new PutObjectCommand({ Bucket, Key })
      await fetch(await getSignedUrl(s3, command, { expiresIn: 60 }), { method: 'PUT', body: 'by address' })
      const read = new GetObjectCommand({ Bucket, Key })
      expect(await (await fetch(await getSignedUrl(s3, read, { expiresIn: 60 }))).text()).toBe('by address')
      const signingDate = new Date(Date.now() - 61_000)
      const expired = await fetch(await getSignedUrl(s3, read, { expiresIn: 60, signingDate }))
      expect([expired.status, await expired.text()]).toEqual([403, expect.stringContaining('Request has expired')])
    },
  ],
  [
    'signatures',
    'are checked',
    async ({ config }) => {
      const as = (more: object) => new S3Client({ ...config, credentials: { ...config.credentials, ...more } })
      expect(await refusal(get(as({ secretAccessKey: 'guessed' }), 'a'))).toBe('SignatureDoesNotMatch')
      expect(await refusal(get(as({ accessKeyId: 'AKIAGUESSED' }), 'a'))).toBe('InvalidAccessKeyId')
      expect((await fetch(`${config.endpoint}/${Bucket}/a`)).status).toBe(403)
    },
  ],
  [
    'Object Created',
    'reaches rules in AWS’s shape, and tags do not',
    async ({ s3, sent }) => {
      const [Key, last] = [`${newKey()}/archive mp4`, newKey()]
      const { VersionId } = await put(s3, Key)
      const Tagging = { TagSet: [{ Key: 'keep', Value: '7' }] }
      await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging }))
      expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet).toEqual(Tagging.TagSet)
      await put(s3, last)
      await sent((event) => event.detail?.object?.key === last)
      const event = await sent(({ detail }) => detail?.object?.key === Key)
      expect(event).toMatchObject({
        source: 'aws.s3',
        'detail-type': 'Object Created',
        resources: [`arn:aws:s3:::${Bucket}`],
      })
      expect(event.detail).toEqual({
        version: '0',
        bucket: { name: Bucket },
        object: {
          key: Key,
          size: 5,
          etag: '5d41402abc4b2a76b9719d911017c592',
          'version-id': VersionId,
          sequencer: expect.stringMatching(/^[0-9A-F]{16}$/),
        },
        'request-id': expect.any(String),
        requester: '000000000000',
        'source-ip-address': '127.0.0.1',
        reason: 'PutObject',
      })
    },
  ],
]
