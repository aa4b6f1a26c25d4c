import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredDocument } from '../../../../lib/aws/storage/storage.ts'
import { StorageError } from '../../../../lib/tasks/errors.ts'
import { isCall, overProtocol } from '../../../support/world/interceptors.ts'
import { BUCKET, openWorld, type World } from '../../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
  world.interceptors.aws = overProtocol
})
afterEach(() => world.close())

const etagOf = async (key: string) => ((await world.services.storage.readDocument(key)) as StoredDocument).etag

/** The object's body as S3 is about to send it, cut off in the middle. */
const cutOff = (response: Response) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('ab'))
      controller.error(new Error('read ECONNRESET'))
    },
  })
  return new Response(body, response)
}

describe('createStorage', () => {
  it('returns a document with the ETag for replacing it', async () => {
    const { storage } = world.services
    expect(await storage.readDocument('a.json')).toBeUndefined()
    expect(await storage.writeDocument('a.json', { n: 1 }, undefined)).toBe(true)
    const stored = await storage.readDocument('a.json')
    expect(stored?.value).toEqual({ n: 1 })
    expect(await storage.writeDocument('a.json', { n: 2 }, stored?.etag)).toBe(true)
    expect((await storage.readDocument('a.json'))?.value).toEqual({ n: 2 })
  })

  it('creates a document once, and replaces only the version that was read', async () => {
    const { storage } = world.services
    await storage.writeDocument('a.json', { n: 1 }, undefined)
    expect(await storage.writeDocument('a.json', { n: 2 }, undefined)).toBe(false)
    const stale = await etagOf('a.json')
    await storage.writeDocument('a.json', { n: 3 }, stale)
    expect(await storage.writeDocument('a.json', { n: 4 }, stale)).toBe(false)
    expect((await storage.readDocument('a.json'))?.value).toEqual({ n: 3 })
  })

  it('distinguishes a missing bucket from a missing object', async () => {
    const elsewhere = openWorld({ BUCKET: 'gone' })
    elsewhere.interceptors.aws = overProtocol
    const { storage } = elsewhere.services
    const refusal = { name: 'TaskConfigError', message: 'The bucket does not exist: redeploy the stack.' }
    await expect(storage.readDocument('a.json')).rejects.toMatchObject(refusal)
    await expect(storage.writeDocument('a.json', {}, undefined)).rejects.toMatchObject(refusal)
    await expect(storage.list('', { limit: 1 })).rejects.toMatchObject(refusal)
    await elsewhere.close()
  })

  it('treats a 403 as a missing object, as S3 answers without the right to list', async () => {
    const { storage } = world.services
    const refused = [isCall('GET', /\.json$/), isCall('HEAD', /\.json$/), isCall('PUT', /\.json\?tagging/)]
    world.interceptors.aws = async (request, pass) =>
      refused.some((isRefused) => isRefused(request)) ? new Response(null, { status: 403 }) : pass()
    expect(await storage.readDocument('a.json')).toBeUndefined()
    expect(await storage.readText('a.json')).toBeUndefined()
    expect(await storage.sizeOf('a.json')).toBeUndefined()
    expect(await storage.etagOf('a.json')).toBeUndefined()
    await storage.put('a.json.sha', '', 'text/plain')
    expect(await storage.readDocument('a.json')).toBeUndefined()
    await storage.put('a.json', '{}', 'application/json')
    await expect(storage.readDocument('a.json')).rejects.toThrow(StorageError)
    await expect(storage.etagOf('a.json')).rejects.toThrow(StorageError)
  })

  it('lets one of several writers through', async () => {
    const { storage } = world.services
    const writers = Array.from({ length: 8 }, (_, n) => storage.writeDocument('a.json', { n }, undefined))
    expect((await Promise.all(writers)).filter(Boolean)).toHaveLength(1)
  })

  it('reads text, and returns undefined for a missing object', async () => {
    const { storage } = world.services
    await storage.put('a', 'ünï', 'text/plain')
    expect(await storage.readText('a')).toBe('ünï')
    expect(await storage.readText('b')).toBeUndefined()
  })

  it('deletes every version of everything under a prefix, and nothing else', async () => {
    const { storage } = world.services
    world.keepVersions()
    for (let index = 0; index < 3; index++) await storage.put('a/one', `${index}`, 'text/plain')
    await storage.put('a/two', '', 'text/plain')
    await storage.delete('a/two')
    await storage.put('ab', '', 'text/plain')
    expect(await storage.deleteAll('a/')).toBe(5)
    expect(await storage.deleteAll('a/')).toBe(0)
    expect((await storage.list('', { limit: 10 })).keys).toEqual(['ab'])
  })

  it('returns the size of an object, also of an empty and of a missing one', async () => {
    const { storage } = world.services
    await storage.put('a', 'ünï', 'text/plain')
    await storage.put('empty', '', 'text/plain')
    expect(await storage.sizeOf('a')).toBe(5)
    expect(await storage.sizeOf('empty')).toBe(0)
    expect(await storage.sizeOf('b')).toBeUndefined()
  })

  it('distinguishes versions of an object by unquoted ETags', async () => {
    const { storage } = world.services
    await storage.writeDocument('a', {}, undefined)
    expect(await storage.etagOf('a')).toBe((await etagOf('a')).replaceAll('"', ''))
    expect(await storage.etagOf('b')).toBeUndefined()
  })

  it('tags an object when it is written and afterwards, if it exists', async () => {
    const { storage } = world.services
    const tags: unknown[] = []
    world.interceptors.aws = async (request, pass) => {
      tags.push(request.headers.get('x-amz-tagging') ?? (await request.clone().text()))
      return pass()
    }
    await storage.put('a', 'b', 'text/plain', { keepDays: '7', 'a b': 'c&d' })
    await storage.tag('a', { keepDays: '30' })
    await storage.tag('none', { keepDays: '30' })
    expect(tags[0]).toBe('keepDays=7&a+b=c%26d')
    expect(tags[1]).toContain('<Tag><Key>keepDays</Key><Value>30</Value></Tag>')
  })

  it('opens one version of an object for ranges and as a stream', async () => {
    const { storage } = world.services
    await storage.put('a', 'abcdef', 'text/plain')
    await world.services.storage.writeDocument('d', {}, undefined)
    const etag = await etagOf('d')
    const opened = await storage.open('d', etag.replaceAll('"', '')) // as the event of S3 writes it
    expect(opened.size).toBe(2)
    expect(Buffer.from(await opened.read(1, 2)).toString()).toBe('}')
    expect(Buffer.concat(await Array.fromAsync(await opened.stream())).toString()).toBe('{}')
  })

  it('reads nothing of an object that has been replaced since', async () => {
    const { storage } = world.services
    await storage.writeDocument('d', {}, undefined)
    const etag = await etagOf('d')
    const opened = await storage.open('d', etag)
    await storage.put('d', 'something else', 'text/plain')
    await expect(opened.read(0, 1)).rejects.toThrow(StorageError)
    await expect(opened.stream()).rejects.toThrow(StorageError)
    await expect(storage.open('d', etag)).rejects.toThrow(StorageError)
  })

  it('throws a StorageError for an interrupted stream, so that the task is retried', async () => {
    const { storage } = world.services
    await storage.writeDocument('d', {}, undefined)
    const opened = await storage.open('d', await etagOf('d'))
    world.interceptors.aws = async (_request, pass) => cutOff(await pass())
    await expect(Array.fromAsync(await opened.stream())).rejects.toThrow(
      new StorageError('The bucket failed while reading d (Error: read ECONNRESET).'),
    )
  })

  it('throws a StorageError for a stream that ends early, so that no half of a file is hashed', async () => {
    const { storage } = world.services
    await storage.put('d', '"abcd"', 'application/json')
    const opened = await storage.open('d', await etagOf('d'))
    world.interceptors.aws = async (_request, pass) => new Response((await (await pass()).text()).slice(0, 3))
    await expect(Array.fromAsync(await opened.stream())).rejects.toThrow(
      new StorageError('The bucket failed while reading d (Error: 3 of 6 bytes were read).'),
    )
  })

  it('throws a StorageError for a range that ends early, so that no half of an index is read', async () => {
    const { storage } = world.services
    await storage.put('d', '"abcd"', 'application/json')
    const opened = await storage.open('d', await etagOf('d'))
    expect(String(await opened.read(4, 9))).toBe('d"')
    world.interceptors.aws = async (_request, pass) => new Response((await (await pass()).text()).slice(0, 1))
    await expect(opened.read(1, 3)).rejects.toThrow(
      new StorageError('The bucket failed while reading d (Error: 1 of 2 bytes were read).'),
    )
  })

  it('lists keys in order, page by page', async () => {
    const { storage } = world.services
    for (const key of ['p/c', 'p/a', 'q/a', 'p/b']) await storage.put(key, '', 'text/plain')
    expect(await storage.list('p/', { limit: 2 })).toEqual({ keys: ['p/a', 'p/b'], more: true })
    expect(await storage.list('p/', { limit: 2, after: 'p/b' })).toEqual({ keys: ['p/c'], more: false })
    expect(await storage.list('r/', { limit: 2 })).toEqual({ keys: [], more: false })
  })

  it('signs links to objects, that stop working after their seconds', async () => {
    const { storage } = world.services
    const link = new URL(await storage.link('folder/a b.mp4', 60))
    expect(link.pathname).toBe(`/${BUCKET}/folder/a%20b.mp4`)
    expect(link.searchParams.get('X-Amz-Expires')).toBe('60')
    expect(link.searchParams.get('X-Amz-Date')).toBe('20261120T090000Z')
  })

  it('promises of a link what its credentials last for', async () => {
    const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
    const promised = async (credentials: object, seconds: number) =>
      (await world.services.storageAs({ ...keys, ...credentials }).linkEnd(seconds)) - world.clock.now()
    const sessionToken = 'token'
    expect(await promised({}, 3_600)).toBe(3_600_000) // of a user: they do not end
    const expiration = new Date(world.clock.now() + 600_000)
    expect(await promised({ sessionToken, expiration }, 3_600)).toBe(600_000)
    expect(await promised({ sessionToken, expiration }, 60)).toBe(60_000)
    expect(await promised({ sessionToken }, 3_600)).toBe(900_000) // as in a function, without a time
  })

  it.each([
    ['reading', 'reading a', () => world.services.storage.readDocument('a')],
    ['writing a document', 'writing a', () => world.services.storage.writeDocument('a', {}, undefined)],
    ['writing', 'writing a', () => world.services.storage.put('a', 'b', 'text/plain')],
    ['tagging', 'tagging a', () => world.services.storage.tag('a', {})],
    ['asking for a size', 'looking for a', () => world.services.storage.sizeOf('a')],
    ['opening', 'opening a', () => world.services.storage.open('a', 'e')],
    ['listing', 'listing a', () => world.services.storage.list('a', { limit: 1 })],
  ])('names the operation when S3 fails while %s, and keeps the cause', async (_what, words, act) => {
    world.interceptors.aws = async () => new Response(null, { status: 503 })
    const error = await act().then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error).toBeInstanceOf(StorageError)
    expect(error?.message).toMatch(`The bucket failed while ${words} (`)
    expect(error?.cause).toBeInstanceOf(Error)
  })
})
