import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assembleParts, type ObjectPart } from '../../../../lib/aws/storage/assemble-parts.ts'
import { StorageError } from '../../../../lib/tasks/errors.ts'
import { overProtocol } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'

const MB = 2 ** 20
const SOURCE = Buffer.alloc(6 * MB, Buffer.from(Array.from({ length: 251 }, (_, n) => n)))
const KEY = 'a folder/ünï+1/source'

let world: World
let from: { key: string; etag: string }
beforeEach(async () => {
  world = openWorld()
  world.interceptors.aws = overProtocol
  const { storage } = world.services
  await storage.put(KEY, SOURCE, 'video/mp4')
  from = { key: KEY, etag: (await storage.etagOf(KEY)) ?? '' }
})
afterEach(() => world.close())

const assemble = (parts: readonly ObjectPart[]) => world.services.storage.assemble('new', from, parts, 'video/mp4')
const given = { bytes: Buffer.alloc(5 * MB, 1) }
const copied = { start: MB, end: 6 * MB }
const isPart = (request: Request) => new URL(request.url).searchParams.has('partNumber')
/** Requests that end an upload and keep nothing of it. */
const isAbort = (request: Request) => request.method === 'DELETE' && new URL(request.url).searchParams.has('uploadId')

describe('assemble', () => {
  it('makes an object of bytes and of ranges of another', async () => {
    const { storage } = world.services
    const tail = { start: 3, end: 10 }
    const { size, etag } = await assemble([given, copied, tail])
    expect(size).toBe(10 * MB + 7)
    const object = await storage.open('new', etag)
    const expected = Buffer.concat([given.bytes, SOURCE.subarray(copied.start, copied.end), SOURCE.subarray(3, 10)])
    expect(Buffer.from(await object.read(0, object.size)).equals(expected)).toBe(true)
  })

  it('makes one of a few bytes alone', async () => {
    expect((await assemble([{ bytes: Buffer.from('abc') }])).size).toBe(3)
    expect(await world.services.storage.readText('new')).toBe('abc')
  })

  it('sends none of what S3 copies', async () => {
    let sent = 0
    world.interceptors.aws = async (request, pass) => {
      sent += (await request.clone().arrayBuffer()).byteLength
      return pass()
    }
    await assemble([given, copied, copied, copied])
    expect(sent).toBeLessThan(5.1 * MB)
  })

  it('passes on no composite checksum of a copied part, which completing would refuse', async () => {
    const sent: object[] = []
    const s3 = {
      async send({ input }: { input: object }) {
        sent.push(input)
        if ('CopySource' in input) return { CopyPartResult: { ETag: '"copied"', ChecksumCRC32: 'AAAAAA==-3' } }
        return { UploadId: 'upload', ETag: '"given"', ChecksumCRC32: 'BBBBBB==' }
      },
    }
    await assembleParts(s3 as never, { Bucket: 'media', Key: 'new' } as never, from, [given, copied])
    expect(sent.at(-1)).toMatchObject({
      MultipartUpload: {
        Parts: [
          { PartNumber: 1, ETag: '"given"', ChecksumCRC32: 'BBBBBB==' },
          { PartNumber: 2, ETag: '"copied"', ChecksumCRC32: undefined },
        ],
      },
    })
  })

  it('sets a content type and tags', async () => {
    let creating: Headers | undefined
    world.interceptors.aws = async (request, pass) => {
      if (request.headers.has('x-amz-tagging')) creating = request.headers
      return pass()
    }
    await world.services.storage.assemble('new', from, [given], 'video/mp4', { keepDays: '7' })
    expect([creating?.get('content-type'), creating?.get('x-amz-tagging')]).toEqual(['video/mp4', 'keepDays=7'])
  })

  it('makes several parts at once, but not more than eight', async () => {
    let running = 0
    let most = 0
    const eight = Promise.withResolvers<void>()
    world.interceptors.aws = async (request, pass) => {
      if (!isPart(request)) return pass()
      most = Math.max(most, ++running)
      if (running === 8) eight.resolve()
      await eight.promise // no part is done before so many are under way
      const response = await pass()
      running--
      return response
    }
    const { size } = await assemble(Array.from({ length: 12 }, () => copied))
    expect(size).toBe(60 * MB)
    expect(most).toBe(8)
  })

  it('discards the parts and starts no other when one fails', async () => {
    let parts = 0
    let aborts = 0
    world.interceptors.aws = async (request, pass) => {
      if (isAbort(request)) aborts++
      return isPart(request) && ++parts === 3 ? new Response(null, { status: 503 }) : pass()
    }
    await expect(assemble(Array.from({ length: 40 }, () => copied))).rejects.toThrow(/failed while writing new/)
    expect(parts).toBeLessThan(20)
    expect(aborts).toBe(1)
    expect(await world.services.storage.sizeOf('new')).toBeUndefined()
  })

  it('copies nothing of an object that has been replaced', async () => {
    await world.services.storage.put(KEY, 'another', 'video/mp4')
    await expect(assemble([given, copied])).rejects.toThrow(StorageError)
    expect(await world.services.storage.sizeOf('new')).toBeUndefined()
  })

  it('throws the first failure, also when discarding fails', async () => {
    world.interceptors.aws = async (request, pass) =>
      isPart(request) || isAbort(request) ? new Response(null, { status: isAbort(request) ? 500 : 503 }) : pass()
    const error = await assemble([given]).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(StorageError)
    expect((error as StorageError).cause).toMatchObject({ $metadata: { httpStatusCode: 503 } })
  })
})
