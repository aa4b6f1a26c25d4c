import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createS3 } from '../../../../local/cloud/s3/s3.ts'
import { BACKENDS, BUCKET, type Endpoint, inMemory, pattern, presign, refusal } from './endpoints.ts'

describe.each(BACKENDS)('createS3 %s', (_name, open) => {
  let endpoint: Endpoint
  beforeAll(async () => {
    endpoint = await open()
  })
  afterAll(() => endpoint.close())

  const put = (Key: string, Body: string | Uint8Array | Readable, more: object = {}) =>
    endpoint.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...more }))
  const get = (Key: string, more: object = {}) =>
    endpoint.client.send(new GetObjectCommand({ Bucket: BUCKET, Key, ...more }))
  const head = (Key: string, more: object = {}) =>
    endpoint.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key, ...more }))
  const text = async (Key: string, more: object = {}) => (await get(Key, more)).Body?.transformToString()

  it('gives back what was put, with its checksum and MD5', async () => {
    const written = await put('hello.txt', 'hello world')
    const read = await get('hello.txt', { ChecksumMode: 'ENABLED' })
    expect(await read.Body?.transformToString()).toBe('hello world')
    expect(read.ETag).toBe('"5eb63bbbe01eeed093cb22bb8f5acdc3"')
    expect(written.ETag).toBe(read.ETag)
    expect(read).toMatchObject({ ChecksumCRC32: 'DUoRhQ==', ChecksumType: 'FULL_OBJECT', ContentLength: 11 })
  })

  it('keeps an empty object', async () => {
    await put('empty', '')
    expect(await text('empty')).toBe('')
    expect((await head('empty')).ContentLength).toBe(0)
  })

  it('takes a stream in aws-chunked framing', async () => {
    const bytes = pattern(300_001)
    await put('stream', Readable.from([bytes.subarray(0, 7), bytes.subarray(7, 200_000), bytes.subarray(200_000)]), {
      ContentLength: bytes.length,
    })
    const read = await get('stream')
    expect(Buffer.from((await read.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true)
    expect(read.ContentEncoding).toBeUndefined()
  })

  it.each([
    ['CRC32', 'NhCmhg=='],
    ['CRC32C', 'mnG7TA=='],
    ['CRC64NVME', 'M3eFcAZSQlc='],
    ['SHA1', 'qvTGHdzF6KLavt4PO0gs2a6pQ00='],
    ['SHA256', 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='],
  ] as const)('verifies and keeps %s', async (ChecksumAlgorithm, expected) => {
    const member = `Checksum${ChecksumAlgorithm}`
    await put(`sum-${ChecksumAlgorithm}`, 'hello', { [member]: expected })
    expect(await head(`sum-${ChecksumAlgorithm}`, { ChecksumMode: 'ENABLED' })).toMatchObject({ [member]: expected })
    const wrong = Buffer.from(expected, 'base64').fill(0).toString('base64')
    expect(await refusal(put('wrong', 'hello', { [member]: wrong }))).toMatchObject({ name: 'BadDigest', status: 400 })
    expect(await refusal(head('wrong'))).toMatchObject({ name: 'NotFound' })
  })

  it('verifies Content-MD5', async () => {
    await put('md5', 'hello', { ContentMD5: 'XUFAKrxLKna5cZ2REBfFkg==' })
    const wrong = put('md5-wrong', 'hello', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' })
    expect(await refusal(wrong)).toMatchObject({ name: 'BadDigest', status: 400 })
    expect(await refusal(put('md5-wrong', 'hello', { ContentMD5: 'short' }))).toMatchObject({ name: 'InvalidDigest' })
  })

  it('sums up by CRC64NVME when the client names no algorithm', async () => {
    const client = endpoint.connect({ requestChecksumCalculation: 'WHEN_REQUIRED' })
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'unsummed', Body: 'hello' }))
    expect((await head('unsummed', { ChecksumMode: 'ENABLED' })).ChecksumCRC64NVME).toBe('M3eFcAZSQlc=')
  })

  it('gives ranges: first to last, from, and suffix', async () => {
    await put('digits', '0123456789')
    const middle = await get('digits', { Range: 'bytes=2-4' })
    expect(middle.$metadata.httpStatusCode).toBe(206)
    expect(middle).toMatchObject({ ContentRange: 'bytes 2-4/10', ContentLength: 3, AcceptRanges: 'bytes' })
    expect(await middle.Body?.transformToString()).toBe('234')
    expect(await text('digits', { Range: 'bytes=7-' })).toBe('789')
    expect(await text('digits', { Range: 'bytes=-3' })).toBe('789')
    expect(await text('digits', { Range: 'bytes=5-500' })).toBe('56789')
    expect((await head('digits', { Range: 'bytes=-3' })).ContentLength).toBe(3)
    expect(await refusal(get('digits', { Range: 'bytes=10-' }))).toMatchObject({ name: 'InvalidRange', status: 416 })
  })

  it('gives the whole where the range was meant for another object', async () => {
    const url = await presign(endpoint, { method: 'GET', path: `/${BUCKET}/digits` }, 60)
    const { ETag = '' } = await head('digits')
    const read = async (condition: string) => {
      const headers = { range: 'bytes=0-1', 'if-range': condition }
      return (await endpoint.send(new Request(url, { headers }))).text()
    }
    expect(await read(ETag)).toBe('01')
    expect(await read('"another"')).toBe('0123456789')
  })

  it('keeps metadata, standard headers and tags', async () => {
    const Expires = new Date('2031-01-01T00:00:00Z')
    await put('attributes', 'x', {
      Metadata: { show: 'opening night', part: '2' },
      ContentType: 'video/mp4',
      ContentEncoding: 'gzip',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment',
      ContentLanguage: 'de',
      Expires,
      Tagging: 'kind=recording&for=a%20b',
      ServerSideEncryption: 'AES256',
    })
    expect(await head('attributes')).toMatchObject({
      Metadata: { show: 'opening night', part: '2' },
      ContentType: 'video/mp4',
      ContentEncoding: 'gzip',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment',
      ContentLanguage: 'de',
      ExpiresString: Expires.toUTCString(),
      TagCount: 2,
      ServerSideEncryption: 'AES256',
    })
  })

  it('answers with the headers a reader asks for', async () => {
    const read = await get('hello.txt', { ResponseContentType: 'text/html', ResponseContentDisposition: 'inline' })
    expect(read).toMatchObject({ ContentType: 'text/html', ContentDisposition: 'inline' })
  })

  it('reads, replaces and removes tags', async () => {
    const at = { Bucket: BUCKET, Key: 'hello.txt' }
    const TagSet = [{ Key: 'a<b>&', Value: '"1"\r\n' }]
    await endpoint.client.send(new PutObjectTaggingCommand({ ...at, Tagging: { TagSet } }))
    expect((await endpoint.client.send(new GetObjectTaggingCommand(at))).TagSet).toEqual(TagSet)
    await endpoint.client.send(new DeleteObjectTaggingCommand(at))
    expect((await endpoint.client.send(new GetObjectTaggingCommand(at))).TagSet).toEqual([])
    const many = Array.from({ length: 11 }, (_, n) => `k${n}=v`).join('&')
    expect(await refusal(put('tags', 'x', { Tagging: many }))).toMatchObject({ name: 'InvalidTag' })
  })

  it('writes under If-None-Match and If-Match only when they hold', async () => {
    const first = await put('record.json', '1', { IfNoneMatch: '*' })
    const denied = { name: 'PreconditionFailed', status: 412 }
    expect(await refusal(put('record.json', '2', { IfNoneMatch: '*' }))).toMatchObject(denied)
    const second = await put('record.json', '3', { IfMatch: first.ETag })
    expect(await refusal(put('record.json', '4', { IfMatch: first.ETag }))).toMatchObject(denied)
    expect(await refusal(put('no-record', '5', { IfMatch: first.ETag }))).toMatchObject({
      name: 'NoSuchKey',
      status: 404,
    })
    expect(second.ETag).not.toBe(first.ETag)
    expect(await text('record.json')).toBe('3')
  })

  it('lets exactly one of many writers create a key', async () => {
    const writers = Array.from({ length: 20 }, (_, n) => put('contended', `writer ${n}`, { IfNoneMatch: '*' }))
    const outcomes = await Promise.allSettled(writers)
    const winners = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))
    expect(winners).toHaveLength(1)
    expect(await text('contended')).toBe(`writer ${winners[0]}`)
  })

  it('reads under conditions', async () => {
    const { ETag, LastModified } = await head('hello.txt')
    const earlier = new Date((LastModified?.getTime() ?? 0) - 1000)
    const statusOf = async (more: object) => (await refusal(get('hello.txt', more))).status
    expect(await statusOf({ IfNoneMatch: ETag })).toBe(304)
    expect(await statusOf({ IfModifiedSince: LastModified })).toBe(304)
    expect(await statusOf({ IfMatch: '"other"' })).toBe(412)
    expect(await statusOf({ IfUnmodifiedSince: earlier })).toBe(412)
    expect(await text('hello.txt', { IfMatch: ETag, IfUnmodifiedSince: earlier })).toBe('hello world')
    expect(await text('hello.txt', { IfNoneMatch: '"other"', IfModifiedSince: LastModified })).toBe('hello world')
    expect((await refusal(head('hello.txt', { IfNoneMatch: ETag }))).status).toBe(304)
  })

  it('names what is missing', async () => {
    expect(await refusal(get('nowhere'))).toMatchObject({ name: 'NoSuchKey', status: 404 })
    expect(await refusal(head('nowhere'))).toMatchObject({ name: 'NotFound', status: 404 })
    const elsewhere = new GetObjectCommand({ Bucket: 'elsewhere', Key: 'x' })
    expect(await refusal(endpoint.client.send(elsewhere))).toMatchObject({ name: 'NoSuchBucket', status: 404 })
    const bucket = new HeadBucketCommand({ Bucket: 'elsewhere' })
    expect(await refusal(endpoint.client.send(bucket))).toMatchObject({ name: 'NotFound' })
    await endpoint.client.send(new HeadBucketCommand({ Bucket: BUCKET }))
  })

  it.each(['k ü+é%/x.txt', 'a//b', "quote'(1)*!", '日本/🎬', 'line\nbreak\u0001', '~tilde&<>"'])(
    'takes the key %j',
    async (Key) => {
      await put(Key, Key)
      expect(await text(Key)).toBe(Key)
      const copy = `copy of ${Key}`
      const source = `${BUCKET}/${Key.split('/').map(encodeURIComponent).join('/')}`
      await endpoint.client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: copy, CopySource: source }))
      expect(await text(copy)).toBe(Key)
      const Objects = [{ Key }, { Key: copy }, { Key: 'never there' }]
      const { Deleted, Errors } = await endpoint.client.send(
        new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }),
      )
      expect(Errors).toBeUndefined()
      expect(Deleted).toEqual(Objects)
      expect(await refusal(head(Key))).toMatchObject({ name: 'NotFound' })
    },
  )

  it('deletes a thousand keys at once, quietly', async () => {
    const Objects = Array.from({ length: 1000 }, (_, n) => ({ Key: `"${n}" & more` }))
    await put('"7" & more', 'x')
    const command = new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects, Quiet: true } })
    expect((await endpoint.client.send(command)).Deleted).toBeUndefined()
    expect(await refusal(head('"7" & more'))).toMatchObject({ name: 'NotFound' })
  })

  it('deletes, and deletes again', async () => {
    await put('short-lived', 'x')
    const command = new DeleteObjectCommand({ Bucket: BUCKET, Key: 'short-lived' })
    await endpoint.client.send(command)
    await endpoint.client.send(command)
    expect(await refusal(get('short-lived'))).toMatchObject({ name: 'NoSuchKey' })
  })

  it('copies with the source’s attributes or with others', async () => {
    await put('original', 'take one', { Metadata: { take: '1' }, ContentType: 'text/plain', Tagging: 'a=1' })
    const copy = (Key: string, more: object = {}) =>
      endpoint.client.send(new CopyObjectCommand({ Bucket: BUCKET, Key, CopySource: `${BUCKET}/original`, ...more }))
    const { CopyObjectResult } = await copy('kept')
    expect(CopyObjectResult).toMatchObject({ ETag: (await head('original')).ETag, ChecksumType: 'FULL_OBJECT' })
    expect(await head('kept')).toMatchObject({ Metadata: { take: '1' }, ContentType: 'text/plain', TagCount: 1 })
    await copy('changed', { MetadataDirective: 'REPLACE', Metadata: { take: '2' }, ChecksumAlgorithm: 'SHA256' })
    expect(await head('changed', { ChecksumMode: 'ENABLED' })).toMatchObject({
      Metadata: { take: '2' },
      ChecksumSHA256: expect.any(String),
    })
    expect(await refusal(copy('original'))).toMatchObject({ name: 'InvalidRequest' })
    expect(await refusal(copy('kept', { IfNoneMatch: '*' }))).toMatchObject({ name: 'PreconditionFailed' })
    expect(await refusal(copy('x', { CopySourceIfMatch: '"no"' }))).toMatchObject({ name: 'PreconditionFailed' })
    expect(await refusal(copy('x', { CopySource: `${BUCKET}/absent` }))).toMatchObject({ name: 'NoSuchKey' })
    await endpoint.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'original' }))
    expect(await text('kept')).toBe('take one')
  })

  it('lets a reader finish an object that is replaced meanwhile', async () => {
    const bytes = pattern(3_000_000)
    await put('replaced', bytes)
    const { Body } = await get('replaced')
    await put('replaced', 'new')
    expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true)
    expect(await text('replaced')).toBe('new')
  })

  it('announces every object once it can be read', async () => {
    endpoint.events.length = 0
    const seen: Promise<string | undefined>[] = []
    endpoint.s3.onObjectCreated(({ detail }) => {
      if (detail.object.key.startsWith('event ')) seen.push(text(detail.object.key))
    })
    const { ETag } = await put('event ü', 'body')
    await endpoint.client.send(
      new CopyObjectCommand({ Bucket: BUCKET, Key: 'event 2', CopySource: `${BUCKET}/event%20%C3%BC` }),
    )
    const [first, second] = endpoint.events
    expect(first).toMatchObject({
      bucket: BUCKET,
      detail: {
        version: '0',
        bucket: { name: BUCKET },
        object: { key: 'event ü', size: 4, etag: ETag?.replaceAll('"', '') },
        reason: 'PutObject',
      },
    })
    expect(second?.detail.reason).toBe('CopyObject')
    expect((second?.detail.object.sequencer ?? '') > (first?.detail.object.sequencer ?? '')).toBe(true)
    expect(await Promise.all(seen)).toEqual(['body', 'body'])
  })
})

describe('createS3', () => {
  it('refuses an invalid bucket name', async () => {
    const endpoint = await inMemory()
    expect(() => endpoint.s3.createBucket('No Bucket')).toThrow('"No Bucket" is not a bucket name')
    await endpoint.close()
  })

  it('reports an internal fault and hides it from the client', async () => {
    const faults: unknown[] = []
    const clock = createSteppedClock(0)
    const secretOf = () => {
      throw new Error('The vault is locked.')
    }
    const s3 = createS3({ clock, secretOf, onFault: (fault) => faults.push(fault) })
    const authorization =
      'AWS4-HMAC-SHA256 Credential=A/19700101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0'
    const headers = { authorization, 'x-amz-date': '19700101T000000Z', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
    const response = await s3.fetch(new Request('http://s3.invalid/media/x', { headers }))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('vault')
    expect(faults).toEqual([new Error('The vault is locked.')])
    s3.close()
    await s3.fetch(new Request('http://s3.invalid/media/x', { headers }))
    expect(faults).toHaveLength(1) // once it is closed, requests fail as they must
  })

  it('repeats itself exactly in memory', async () => {
    const run = async () => {
      const { client, clock, events, close } = await inMemory()
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: '1' }))
      await clock.advance(3_600_000)
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'b', Body: '2' }))
      const { $metadata, LastModified } = await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'b' }))
      await close()
      return JSON.stringify([events, $metadata.requestId, LastModified])
    }
    const [first, second] = [await run(), await run()]
    expect(first).toBe(second)
    expect(first).toContain('2030-01-01T01:00:00.000Z')
  })
})
