import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageError } from '../../../../lib/tasks/errors.ts'
import { overProtocol } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
  world.interceptors.aws = overProtocol
})
afterEach(() => world.close())

const MB = 2 ** 20
const PART = 8 * MB

/** Chunks of a megabyte, counted as they are taken. */
function createBody(megabytes: number) {
  const body = { taken: 0, isClosed: false, chunks: chunks() }
  async function* chunks() {
    try {
      for (let n = 0; n < megabytes; n++) {
        body.taken += MB
        yield Buffer.alloc(MB, n)
      }
    } finally {
      body.isClosed = true
    }
  }
  return body
}
const everything = (megabytes: number) =>
  Buffer.concat(Array.from({ length: megabytes }, (_, n) => Buffer.alloc(MB, n)))
const query = (request: Request) => new URL(request.url).searchParams

describe('putStream', () => {
  it('stores a stream, and returns its size and SHA-256', async () => {
    const { storage } = world.services
    const streamed = await storage.putStream('a', createBody(20).chunks)
    expect(streamed).toEqual({ size: 20 * MB, sha256: createHash('sha256').update(everything(20)).digest('hex') })
    const object = await storage.open('a', (await storage.etagOf('a')) ?? '')
    expect(Buffer.concat(await Array.fromAsync(await object.stream())).equals(everything(20))).toBe(true)
  })

  it('stores an empty stream, and one of Node’s', async () => {
    const { storage } = world.services
    expect((await storage.putStream('empty', createBody(0).chunks)).size).toBe(0)
    expect(await storage.sizeOf('empty')).toBe(0)
    await storage.putStream('a', Readable.from([Buffer.from('abc')]))
    expect(await storage.readText('a')).toBe('abc')
  })

  it('sends parts with a CRC, and without the SHA-256 that a signature usually has', async () => {
    const sums: (string | null)[][] = []
    world.interceptors.aws = async (request, pass) => {
      const { headers } = request
      if (query(request).has('partNumber'))
        sums.push([headers.get('x-amz-checksum-crc32'), headers.get('x-amz-content-sha256')])
      return pass()
    }
    await world.services.storage.putStream('a', createBody(9).chunks)
    expect(sums).toEqual(Array(2).fill([expect.stringMatching(/^[\w+/]{6}==$/), 'UNSIGNED-PAYLOAD']))
  })

  it('sets a content type and tags, in one part and in several', async () => {
    const creating: (string | null)[][] = []
    world.interceptors.aws = async (request, pass) => {
      const { headers } = request
      if (headers.has('x-amz-tagging')) creating.push([headers.get('content-type'), headers.get('x-amz-tagging')])
      return pass()
    }
    const { storage } = world.services
    for (const megabytes of [1, 9])
      await storage.putStream('a', createBody(megabytes).chunks, 'video/mp4', { keepDays: '7' })
    expect(creating).toEqual([
      ['video/mp4', 'keepDays=7'],
      ['video/mp4', 'keepDays=7'],
    ])
  })

  it('reads the stream only a few parts ahead of what is stored', async () => {
    const body = createBody(40)
    let stored = 0
    let ahead = 0
    world.interceptors.aws = async (request, pass) => {
      if (query(request).has('partNumber')) ahead = Math.max(ahead, body.taken - stored)
      const response = await pass()
      if (query(request).has('partNumber')) stored += PART
      return response
    }
    await world.services.storage.putStream('a', body.chunks)
    expect(ahead).toBeLessThanOrEqual(3 * PART)
  })

  it('rethrows the error of the stream, and stores nothing', async () => {
    const lost = new Error('ffmpeg ended with code 1')
    const discarded: string[] = []
    world.interceptors.aws = async (request, pass) => {
      if (request.method === 'DELETE') discarded.push(new URL(request.url).pathname)
      return pass()
    }
    async function* breaking() {
      yield* createBody(10).chunks
      throw lost
    }
    const { storage } = world.services
    await expect(storage.putStream('a', breaking())).rejects.toBe(lost)
    expect(await storage.sizeOf('a')).toBeUndefined()
    expect(discarded).toEqual(['/media/a'])
  })

  it.each([
    ['the first part', 1],
    ['a part in the middle', 3],
  ])('closes the stream when %s cannot be stored', async (_which, failing) => {
    world.interceptors.aws = async (request, pass) =>
      query(request).get('partNumber') === String(failing) ? new Response(null, { status: 503 }) : pass()
    const body = createBody(80)
    await expect(world.services.storage.putStream('a', body.chunks)).rejects.toThrow(StorageError)
    expect(body.isClosed).toBe(true)
    expect(body.taken).toBeLessThanOrEqual((failing + 3) * PART)
    expect(await world.services.storage.sizeOf('a')).toBeUndefined()
  })

  it('closes the stream when nothing can be stored at all', async () => {
    world.interceptors.aws = async () => new Response(null, { status: 503 })
    const body = createBody(80)
    await expect(world.services.storage.putStream('a', body.chunks)).rejects.toThrow(
      'The bucket failed while writing a (',
    )
    expect(body.isClosed).toBe(true)
  })

  it.each([
    ['less than a part', 3],
    ['more than a part', 7],
  ])('stores small chunks of %s', async (_which, megabytes) => {
    const { storage } = world.services
    const whole = everything(megabytes)
    const chunks = Array.from({ length: Math.ceil(whole.length / 70_001) }, (_, n) =>
      whole.subarray(n * 70_001, (n + 1) * 70_001),
    )
    await storage.putStream('a', Readable.from(chunks))
    const object = await storage.open('a', (await storage.etagOf('a')) ?? '')
    expect(Buffer.concat(await Array.fromAsync(await object.stream())).equals(whole)).toBe(true)
  })

  it('cuts a single chunk into parts', async () => {
    const { storage } = world.services
    const whole = everything(17)
    const { size } = await storage.putStream('a', Readable.from([whole, Buffer.from('and more')]))
    expect([size, await storage.sizeOf('a')]).toEqual([17 * MB + 8, 17 * MB + 8])
  })
})
