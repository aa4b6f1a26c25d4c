import {
  CreateMultipartUploadCommand,
  GetBucketLocationCommand,
  GetObjectAttributesCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUCKET, type Endpoint, inMemory, refusal } from './endpoints.ts'

/** Keys in byte order: U+FF5E sorts before U+1F3AC, unlike in JavaScript. */
const KEYS = ['a', 'a/1', 'a/2', 'a/b/1', 'a0', 'b', 'c/x', 'c/y', 'd/', '～', '🎬/1', '🎬/2']

describe('ListObjectsV2', () => {
  let endpoint: Endpoint
  beforeAll(async () => {
    endpoint = await inMemory()
    for (const Key of [...KEYS].reverse()) {
      await endpoint.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'x' }))
    }
  })
  afterAll(() => endpoint.close())

  const list = (more: object = {}) => endpoint.client.send(new ListObjectsV2Command({ Bucket: BUCKET, ...more }))
  const shape = ({ Contents = [], CommonPrefixes = [] }: Awaited<ReturnType<typeof list>>) => ({
    keys: Contents.map(({ Key }) => Key),
    prefixes: CommonPrefixes.map(({ Prefix }) => Prefix),
  })

  it('lists keys in the order of their UTF-8 bytes', async () => {
    const all = await list()
    expect(shape(all)).toEqual({ keys: KEYS, prefixes: [] })
    expect(all).toMatchObject({ KeyCount: KEYS.length, IsTruncated: false, MaxKeys: 1000, Name: BUCKET })
    expect(all.Contents?.[0]).toMatchObject({
      Size: 1,
      ETag: '"9dd4e461268c8034f5c8564e155c67a6"',
      StorageClass: 'STANDARD',
    })
  })

  it('keeps to a prefix and folds at a delimiter', async () => {
    expect(shape(await list({ Prefix: 'a/' }))).toEqual({ keys: ['a/1', 'a/2', 'a/b/1'], prefixes: [] })
    expect(shape(await list({ Delimiter: '/' }))).toEqual({
      keys: ['a', 'a0', 'b', '～'],
      prefixes: ['a/', 'c/', 'd/', '🎬/'],
    })
    expect(shape(await list({ Prefix: 'a/', Delimiter: '/' }))).toEqual({ keys: ['a/1', 'a/2'], prefixes: ['a/b/'] })
    expect(shape(await list({ Prefix: 'zz' }))).toEqual({ keys: [], prefixes: [] })
  })

  it.each([1, 2, 3, 5, 11, 12])('goes through everything in pages of %i', async (pageSize) => {
    for (const Delimiter of [undefined, '/']) {
      const seen: unknown[] = []
      for await (const page of paginateListObjectsV2(
        { client: endpoint.client, pageSize },
        { Bucket: BUCKET, Delimiter },
      )) {
        expect(page.KeyCount).toBeLessThanOrEqual(pageSize)
        const { keys, prefixes } = shape(page)
        seen.push(...keys, ...prefixes)
      }
      const { keys, prefixes } = shape(await list({ Delimiter }))
      expect(seen.sort()).toEqual([...keys, ...prefixes].sort())
    }
  })

  it('starts after a key', async () => {
    expect(shape(await list({ StartAfter: 'b' })).keys).toEqual(KEYS.slice(6))
    expect(shape(await list({ StartAfter: 'a/11', Prefix: 'a/' })).keys).toEqual(['a/2', 'a/b/1'])
  })

  it('encodes keys on request', async () => {
    const page = await list({ Prefix: '🎬', EncodingType: 'url' })
    expect(shape(page).keys).toEqual(['%F0%9F%8E%AC/1', '%F0%9F%8E%AC/2'])
    expect(page.EncodingType).toBe('url')
  })

  it('gives nothing when no key is asked for', async () => {
    expect(await list({ MaxKeys: 0 })).toMatchObject({ KeyCount: 0, IsTruncated: false })
  })

  it('refuses a token it never gave', async () => {
    expect(await refusal(list({ ContinuationToken: '!' }))).toMatchObject({ name: 'InvalidArgument', status: 400 })
  })
})

describe('ListObjects', () => {
  let endpoint: Endpoint
  beforeAll(async () => {
    endpoint = await inMemory()
    for (const Key of KEYS) await endpoint.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'x' }))
  })
  afterAll(() => endpoint.close())

  const list = (more: object = {}) => endpoint.client.send(new ListObjectsCommand({ Bucket: BUCKET, ...more }))

  it.each([1, 2, 5, 12])('lists everything in pages of %i, from marker to marker', async (MaxKeys) => {
    for (const Delimiter of [undefined, '/']) {
      const seen: unknown[] = []
      let Marker: string | undefined
      do {
        const page = await list({ MaxKeys, Delimiter, Marker })
        seen.push(
          ...(page.Contents ?? []).map(({ Key }) => Key),
          ...(page.CommonPrefixes ?? []).map((one) => one.Prefix),
        )
        expect(page.NextMarker !== undefined).toBe(page.IsTruncated === true && Delimiter !== undefined)
        Marker = page.IsTruncated ? (page.NextMarker ?? page.Contents?.at(-1)?.Key) : undefined
      } while (Marker !== undefined)
      const { Contents = [], CommonPrefixes = [] } = await list({ Delimiter })
      const all = [...Contents.map(({ Key }) => Key), ...CommonPrefixes.map(({ Prefix }) => Prefix)]
      expect(seen.toSorted()).toEqual(all.toSorted())
    }
  })

  it('names the owner of each object', async () => {
    expect((await list({ Prefix: 'b' })).Contents).toMatchObject([{ Key: 'b', Owner: { DisplayName: 'local' } }])
  })
})

describe('ListBuckets', () => {
  it('lists the buckets by name, in pages', async () => {
    const { s3, client, close } = await inMemory()
    s3.createBucket('archives')
    const list = async (more: object = {}) => {
      const { Buckets = [], ContinuationToken } = await client.send(new ListBucketsCommand(more))
      return [Buckets.map(({ Name }) => Name), ContinuationToken]
    }
    expect(await list()).toEqual([['archives', BUCKET], undefined])
    expect(await list({ MaxBuckets: 1 })).toEqual([['archives'], 'archives'])
    expect(await list({ ContinuationToken: 'archives' })).toEqual([[BUCKET], undefined])
    expect(await list({ Prefix: 'me' })).toEqual([[BUCKET], undefined])
    await close()
  })
})

describe('GetBucketLocation', () => {
  it('returns nothing for us-east-1, as S3 does', async () => {
    const { client, close } = await inMemory()
    const { LocationConstraint } = await client.send(new GetBucketLocationCommand({ Bucket: BUCKET }))
    expect(LocationConstraint ?? '').toBe('')
    await close()
  })
})

describe('ListMultipartUploads', () => {
  it('lists the uploads under way by key and age, in pages, folded at a delimiter', async () => {
    const { client, close } = await inMemory()
    const begin = async (Key: string) =>
      (await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key }))).UploadId
    const ids = [await begin('a'), await begin('a'), await begin('b/1'), await begin('b/2')]
    const list = (more: object = {}) => client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET, ...more }))
    expect((await list()).Uploads?.map(({ Key, UploadId }) => [Key, UploadId])).toEqual([
      ['a', ids[0]],
      ['a', ids[1]],
      ['b/1', ids[2]],
      ['b/2', ids[3]],
    ])
    const { NextKeyMarker, NextUploadIdMarker, IsTruncated } = await list({ MaxUploads: 1 })
    expect([NextKeyMarker, NextUploadIdMarker, IsTruncated]).toEqual(['a', ids[0], true])
    const rest = await list({ KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker })
    expect(rest.Uploads?.map(({ UploadId }) => UploadId)).toEqual(ids.slice(1))
    expect((await list({ Delimiter: '/' })).CommonPrefixes).toEqual([{ Prefix: 'b/' }])
    expect((await list({ Prefix: 'b/' })).Uploads).toHaveLength(2)
    await close()
  })
})

describe('GetObjectAttributes', () => {
  it('returns what was asked for, and refuses an attribute that S3 lacks', async () => {
    const { client, close } = await inMemory()
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'abc', ChecksumAlgorithm: 'CRC32' }))
    const ask = (...ObjectAttributes: string[]) =>
      client.send(
        new GetObjectAttributesCommand({ Bucket: BUCKET, Key: 'a', ObjectAttributes: ObjectAttributes as never }),
      )
    expect(await ask('ETag', 'ObjectSize', 'Checksum')).toMatchObject({
      ETag: '900150983cd24fb0d6963f7d28e17f72',
      ObjectSize: 3,
      Checksum: { ChecksumCRC32: 'NSRBwg==', ChecksumType: 'FULL_OBJECT' },
    })
    expect((await ask('StorageClass')).ETag).toBeUndefined()
    expect(await refusal(ask('Colour'))).toMatchObject({ name: 'InvalidArgument', status: 400 })
    await close()
  })
})
