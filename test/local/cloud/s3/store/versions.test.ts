import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BACKENDS, BUCKET, codeOf, type Endpoint, pattern, refusal, sign } from '../endpoints.ts'

describe.each(BACKENDS)('versions of objects %s', (_name, open) => {
  let endpoint: Endpoint
  let count = 0
  let Bucket: string
  beforeAll(async () => {
    endpoint = await open()
  })
  afterAll(() => endpoint.close())
  beforeEach(() => {
    Bucket = `versions-${++count}`
    endpoint.s3.createBucket(Bucket, 'Enabled')
  })

  const put = async (Key: string, Body: string | Uint8Array, more: object = {}) =>
    (await endpoint.client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))).VersionId ?? ''
  const get = (Key: string, VersionId?: string) =>
    endpoint.client.send(new GetObjectCommand({ Bucket, Key, ...(VersionId && { VersionId }) }))
  const text = async (Key: string, VersionId?: string) => (await get(Key, VersionId)).Body?.transformToString()
  const remove = (Key: string, more: object = {}) =>
    endpoint.client.send(new DeleteObjectCommand({ Bucket, Key, ...more }))
  const list = (more: object = {}) => endpoint.client.send(new ListObjectVersionsCommand({ Bucket, ...more }))
  const keysOf = async () =>
    ((await endpoint.client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key)

  it('are all kept, and read by their ids', async () => {
    const [first, second] = [await put('a', 'first'), await put('a', 'second')]
    expect(first).not.toBe(second)
    expect(await text('a')).toBe('second')
    expect([await text('a', first), await text('a', second)]).toEqual(['first', 'second'])
    expect((await get('a')).VersionId).toBe(second)
    const head = await endpoint.client.send(new HeadObjectCommand({ Bucket, Key: 'a', VersionId: first }))
    expect(head).toMatchObject({ VersionId: first, ContentLength: 5 })
    expect(await keysOf()).toEqual(['a'])
    expect(endpoint.events.slice(-2).map(({ detail }) => detail.object['version-id'])).toEqual([first, second])
  })

  it('are hidden by a delete marker, which can be deleted as well', async () => {
    const first = await put('a', 'first')
    const { DeleteMarker, VersionId: marker = '' } = await remove('a')
    expect(DeleteMarker).toBe(true)
    await expect(get('a')).rejects.toMatchObject({
      name: 'NoSuchKey',
      $response: { headers: { 'x-amz-delete-marker': 'true' } },
    })
    expect(await keysOf()).toEqual([])
    expect(await text('a', first)).toBe('first')
    expect(await refusal(get('a', marker))).toMatchObject({ name: 'MethodNotAllowed', status: 405 })
    expect(await remove('a', { VersionId: marker })).toMatchObject({ DeleteMarker: true, VersionId: marker })
    expect(await text('a')).toBe('first')
    expect(await remove('never-was')).toMatchObject({ DeleteMarker: true })
  })

  it('are deleted permanently one by one when they are named', async () => {
    const ids = [await put('a', '1'), await put('a', '2'), await put('a', '3')]
    const removed = await remove('a', { VersionId: ids[2] })
    expect(removed).toMatchObject({ VersionId: ids[2] })
    expect(removed.DeleteMarker).toBeUndefined()
    expect(await text('a')).toBe('2')
    expect(await refusal(get('a', ids[2]))).toMatchObject({ name: 'NoSuchVersion', status: 404 })
    await remove('a', { VersionId: ids[1] })
    await remove('a', { VersionId: ids[1] }) // again
    await remove('a', { VersionId: ids[0] })
    expect(await refusal(get('a'))).toMatchObject({ name: 'NoSuchKey' })
    expect((await list()).Versions ?? []).toEqual([])
    expect(await refusal(get('a', 'what'))).toMatchObject({ name: 'InvalidArgument', status: 400 })
  })

  it('are listed newest first, with their markers', async () => {
    const [a1, a2, b1] = [await put('a', '1'), await put('a', '22'), await put('b', '1')]
    const { VersionId: marker } = await remove('a')
    const { Versions = [], DeleteMarkers = [], IsTruncated } = await list()
    expect(Versions.map(({ Key, VersionId, IsLatest, Size }) => [Key, VersionId, IsLatest, Size])).toEqual([
      ['a', a2, false, 2],
      ['a', a1, false, 1],
      ['b', b1, true, 1],
    ])
    expect(DeleteMarkers).toMatchObject([{ Key: 'a', VersionId: marker, IsLatest: true }])
    expect(IsTruncated).toBe(false)
  })

  it('are listed in pages, by prefix and by delimiter', async () => {
    for (const key of ['a/1', 'a/1', 'a/2', 'b/1', 'c', 'c']) await put(key, key)
    const page = async (more: object) => {
      const { Versions = [], CommonPrefixes = [], NextKeyMarker, NextVersionIdMarker } = await list(more)
      const names = [...CommonPrefixes.map(({ Prefix }) => Prefix), ...Versions.map(({ Key }) => Key)]
      return { names, next: { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker }, Versions }
    }
    const pages: unknown[] = []
    let next: object = {}
    for (let index = 0; index < 3; index++) {
      const one = await page({ MaxKeys: 2, ...next })
      pages.push(
        one.names,
        one.Versions.map(({ IsLatest }) => IsLatest),
      )
      next = one.next
    }
    const both = [true, true]
    expect(pages).toEqual([['a/1', 'a/1'], [true, false], ['a/2', 'b/1'], both, ['c', 'c'], [true, false]])
    const first = await page({ MaxKeys: 1 })
    expect((await page({ MaxKeys: 1, ...first.next })).Versions[0]?.IsLatest).toBe(false)
    expect((await page({ Prefix: 'a/' })).names).toEqual(['a/1', 'a/1', 'a/2'])
    const short = await page({ Delimiter: '/', MaxKeys: 1 })
    expect(short).toMatchObject({ names: ['a/'], next: { KeyMarker: 'a/' } })
    expect((await page({ Delimiter: '/', ...short.next })).names).toEqual(['b/', 'c', 'c'])
  })

  it('come about by every way of writing', async () => {
    const first = await put('a', 'first')
    await put('a', 'second')
    const CopySource = `${Bucket}/a?versionId=${first}`
    const copy = await endpoint.client.send(new CopyObjectCommand({ Bucket, Key: 'a', CopySource })) // restores it
    expect(copy.CopySourceVersionId).toBe(first)
    expect((await get('a')).VersionId).toBe(copy.VersionId)
    expect(await text('a')).toBe('first')
    const params = { Bucket, Key: 'a', Body: pattern(6 * 2 ** 20) }
    const whole = await new Upload({ client: endpoint.client, params }).done()
    expect((await get('a')).VersionId).toBe(whole.VersionId)
    expect((await list()).Versions).toHaveLength(4)
    await endpoint.client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'unfinished' }))
    expect(await keysOf()).toEqual(['a'])
  })

  it('are judged by the current one in conditional writes and deletes', async () => {
    await put('a', 'first')
    const { ETag: old = '' } = await get('a')
    await put('a', 'second')
    const { ETag = '' } = await get('a')
    expect(await refusal(put('a', 'x', { IfNoneMatch: '*' }))).toMatchObject({ name: 'PreconditionFailed' })
    expect(await refusal(put('a', 'x', { IfMatch: old }))).toMatchObject({ name: 'PreconditionFailed' })
    expect(await refusal(remove('a', { IfMatch: old }))).toMatchObject({ name: 'PreconditionFailed', status: 412 })
    await remove('a', { IfMatch: ETag })
    expect(await refusal(remove('a', { IfMatch: '*' }))).toMatchObject({ name: 'PreconditionFailed' })
    expect(await refusal(remove('never-was', { IfMatch: '*' }))).toMatchObject({ name: 'NoSuchKey', status: 404 })
    await put('a', 'third', { IfNoneMatch: '*' }) // nothing is there but a marker
  })

  it('have their own tags', async () => {
    const [first, second] = [await put('a', '1', { Tagging: 'keep=7' }), await put('a', '2')]
    const tagsOf = async (VersionId?: string) =>
      (await endpoint.client.send(new GetObjectTaggingCommand({ Bucket, Key: 'a', VersionId }))).TagSet
    const Tagging = { TagSet: [{ Key: 'keep', Value: '30' }] }
    await endpoint.client.send(new PutObjectTaggingCommand({ Bucket, Key: 'a', Tagging }))
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([[{ Key: 'keep', Value: '7' }], Tagging.TagSet])
    expect(await text('a', second)).toBe('2') // and it is a version still
    const events = endpoint.events.length
    await endpoint.client.send(new PutObjectTaggingCommand({ Bucket, Key: 'a', VersionId: first, Tagging }))
    expect([await tagsOf(first), endpoint.events.length - events]).toEqual([Tagging.TagSet, 0])
  })

  it('are deleted together, each with its own answer', async () => {
    const [a1, b1] = [await put('a', '1'), await put('b', '1')]
    await put('c', '1')
    const Objects = [{ Key: 'a', VersionId: a1 }, { Key: 'b' }, { Key: 'c', ETag: '"other"' }, { Key: 'never-was' }]
    const { Deleted, Errors } = await endpoint.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect(Deleted).toEqual([
      { Key: 'a', VersionId: a1 },
      { Key: 'b', DeleteMarker: true, DeleteMarkerVersionId: expect.any(String) },
      { Key: 'never-was', DeleteMarker: true, DeleteMarkerVersionId: expect.any(String) },
    ])
    expect(Errors).toMatchObject([{ Key: 'c', Code: 'PreconditionFailed' }])
    expect([await text('b', b1), await keysOf()]).toEqual(['1', ['c']])
    const quiet = new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'c' }], Quiet: true } })
    expect((await endpoint.client.send(quiet)).Deleted).toBeUndefined()
  })

  it('of before a bucket kept any are its null versions, as are those of after', async () => {
    endpoint.s3.createBucket(Bucket)
    expect(await put('a', 'before')).toBe('')
    expect((await get('a')).VersionId).toBeUndefined()
    endpoint.s3.createBucket(Bucket, 'Enabled')
    expect((await get('a')).VersionId).toBe('null')
    const second = await put('a', 'second')
    expect([await text('a'), await text('a', 'null')]).toEqual(['second', 'before'])
    endpoint.s3.createBucket(Bucket, 'Suspended')
    expect(await put('a', 'after')).toBe('null')
    expect([await text('a'), await text('a', 'null'), await text('a', second)]).toEqual(['after', 'after', 'second'])
    expect((await list()).Versions?.map(({ VersionId }) => VersionId)).toEqual(['null', second])
    expect(await remove('a')).toMatchObject({ DeleteMarker: true, VersionId: 'null' })
    expect(await refusal(get('a'))).toMatchObject({ name: 'NoSuchKey' })
    expect(await refusal(get('a', 'null'))).toMatchObject({ name: 'MethodNotAllowed' })
    expect(await put('a', 'again')).toBe('null')
    expect((await list()).DeleteMarkers ?? []).toEqual([])
    await remove('a', { VersionId: 'null' })
    expect(await text('a')).toBe('second')
  })

  it('are announced by the bucket', async () => {
    const statusOf = async (name: string) =>
      (await endpoint.client.send(new GetBucketVersioningCommand({ Bucket: name }))).Status
    expect([await statusOf(Bucket), await statusOf(BUCKET)]).toEqual(['Enabled', undefined])
    const request = {
      method: 'PUT',
      path: `/${Bucket}`,
      query: { versioning: '' },
      headers: { 'content-length': '0' },
      body: '',
    }
    expect(await codeOf(await endpoint.send(await sign(endpoint, request)))).toBe('NotImplemented')
  })

  it('are taken out under a prefix, except the current ones', async () => {
    for (const body of ['1', '2', '3']) await put('shows/a/state.json', body)
    for (const body of ['4', '5']) await put('shows/ab', body)
    await put('shows/a/request.json', '6')
    const taken = await endpoint.s3.takeFormerVersions(Bucket, 'shows/a/')
    expect(taken.map(({ key, bytes }) => [key, bytes.toString()])).toEqual([
      ['shows/a/state.json', '2'],
      ['shows/a/state.json', '1'],
    ])
    expect(await endpoint.s3.takeFormerVersions(Bucket, 'shows/a/')).toEqual([])
    expect((await list()).Versions?.map(({ Key }) => Key)).toEqual([
      'shows/a/request.json',
      'shows/a/state.json',
      'shows/ab',
      'shows/ab',
    ])
    expect(await text('shows/a/state.json')).toBe('3')
  })
})
