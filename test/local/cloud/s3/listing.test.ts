import { ListObjectsV2Command, PutObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUCKET, type Endpoint, inMemory, refusal } from './endpoints.ts'

/** In the order of their bytes: U+FF5E comes before U+1F3AC, which JavaScript would sort the other way round. */
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
