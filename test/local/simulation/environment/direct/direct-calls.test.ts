import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClock } from '../../../../../lib/clock.ts'
import { createS3 } from '../../../../../local/cloud/s3/s3.ts'
import type { DirectCloud } from '../../../../../local/simulation/environment/direct/direct-call.ts'
import { callDirectly, type SendingClient } from '../../../../../local/simulation/environment/direct/direct-calls.ts'
import { awsClientConfig } from '../../../../../local/simulation/environment/services.ts'
import type { InjectedFault } from '../../../../../local/simulation/faults/fault.ts'

const s3 = createS3({ clock: realClock, secretOf: () => 'secret' })
afterAll(() => s3.close())
const bucket = { Bucket: 'shows' }

/** Opens a client that counts its requests, with direct reads under a fault. */
function open(fault?: InjectedFault, pageSize?: number) {
  const requests: unknown[] = []
  const names: string[] = []
  const aws = (request: Request, passed?: unknown) => {
    requests.push(passed)
    return s3.fetch(request)
  }
  const client = new S3Client(awsClientConfig(aws, { accessKeyId: 'a', secretAccessKey: 'secret' }))
  const direct = { s3, stepFunctions: {}, pageSize } as unknown as DirectCloud
  callDirectly(client as unknown as SendingClient, direct, async (name, read) => {
    names.push(name)
    const value = fault ? undefined : await read()
    return value === undefined ? { passed: { fault } } : { value }
  })
  return { client, requests, names }
}
const whole = new S3Client(awsClientConfig(s3.fetch, { accessKeyId: 'a', secretAccessKey: 'secret' }))

beforeAll(async () => {
  s3.createBucket('shows')
  for (const key of ['shows/a/state.json', 'shows/b/state.json', 'shows/b/x.mp4', 'index/a', 'index/b'])
    await whole.send(new PutObjectCommand({ ...bucket, Key: key, Body: `{"key":"${key}"}` }))
})

describe('callDirectly', () => {
  it('reads a document as the protocol does, without a request', async () => {
    const { client, requests, names } = open()
    const command = () => new GetObjectCommand({ ...bucket, Key: 'shows/a/state.json' })
    const [direct, full] = [await client.send(command()), await whole.send(command())]
    expect([direct.ETag, direct.ContentLength]).toEqual([full.ETag, full.ContentLength])
    expect(await direct.Body?.transformToString()).toBe(await full.Body?.transformToString())
    expect(names).toEqual(['s3 GetObject shows/a/state.json'])
    expect(requests).toEqual([])
  })

  it.each([
    { Prefix: 'shows/' },
    { Prefix: 'shows/', MaxKeys: 2 },
    { Prefix: 'shows/', StartAfter: 'shows/a/state.json' },
    { Prefix: 'nothing/' },
    {},
  ])('lists %j as the protocol does, without a request', async (query) => {
    const { client, requests } = open()
    const command = () => new ListObjectsV2Command({ ...bucket, ...query })
    const [direct, full] = [await client.send(command()), await whole.send(command())]
    expect((direct.Contents ?? []).map(({ Key }) => Key)).toEqual((full.Contents ?? []).map(({ Key }) => Key))
    expect(direct.IsTruncated).toBe(full.IsTruncated)
    expect(requests).toEqual([])
  })

  it('lists short pages of an index', async () => {
    const { client } = open(undefined, 1)
    const page = await client.send(new ListObjectsV2Command({ ...bucket, Prefix: 'index/' }))
    expect([page.Contents?.map(({ Key }) => Key), page.IsTruncated]).toEqual([['index/a'], true])
  })

  it('answers reads of a missing object as the protocol does, without a request', async () => {
    const { client, requests } = open()
    const errorOf = (one: S3Client, command: GetObjectCommand | HeadObjectCommand) =>
      one
        .send(command as GetObjectCommand)
        .catch(({ name, message, $metadata }) => [...[name, message, $metadata.httpStatusCode]])
    for (const Command of [GetObjectCommand, HeadObjectCommand]) {
      const command = () => new Command({ ...bucket, Key: 'shows/c/state.json' })
      expect(await errorOf(client, command())).toEqual(await errorOf(whole, command()))
    }
    expect(requests).toEqual([])
  })

  it.each(['bytes=0-1', 'bytes=3-500', undefined])('reads the range %s as the protocol does', async (Range) => {
    const { client, requests } = open()
    const { ETag: IfMatch } = await whole.send(new HeadObjectCommand({ ...bucket, Key: 'shows/b/x.mp4' }))
    const read = async (one: S3Client) => {
      const answer = await one.send(new GetObjectCommand({ ...bucket, Key: 'shows/b/x.mp4', IfMatch, Range }))
      return [answer.ETag, answer.ContentLength, await answer.Body?.transformToString()]
    }
    expect(await read(client)).toEqual(await read(whole))
    expect(requests).toEqual([])
  })

  it('answers the head of an object as the protocol does', async () => {
    const { client, requests } = open()
    const command = () => new HeadObjectCommand({ ...bucket, Key: 'shows/b/x.mp4' })
    const [direct, full] = [await client.send(command()), await whole.send(command())]
    expect([direct.ETag, direct.ContentLength, direct.VersionId]).toEqual([
      ...[full.ETag, full.ContentLength, full.VersionId],
    ])
    expect(requests).toEqual([])
  })

  it('leaves a read whose condition is not met, or outside the object, to the protocol', async () => {
    const { client, requests } = open()
    const one = { ...bucket, Key: 'shows/b/x.mp4' }
    await expect(client.send(new GetObjectCommand({ ...one, IfMatch: '"other"' }))).rejects.toThrow()
    await expect(client.send(new HeadObjectCommand({ ...one, IfMatch: '"other"' }))).rejects.toThrow()
    await expect(client.send(new GetObjectCommand({ ...one, Range: 'bytes=900-901' }))).rejects.toThrow()
    expect(requests).toEqual([{ fault: undefined }, { fault: undefined }, { fault: undefined }])
  })

  it('leaves a fault to the protocol', async () => {
    const { client, requests } = open({ kind: '500' })
    await client.send(new GetObjectCommand({ ...bucket, Key: 'shows/a/state.json' }))
    expect(requests).toEqual([{ fault: { kind: '500' } }])
  })

  it('writes a document as the protocol does, without a request', async () => {
    const { client, requests, names } = open()
    const write = { ...bucket, Body: '{}', ContentType: 'application/json', ContentLength: 2, IfNoneMatch: '*' }
    const put = (key: string) => new PutObjectCommand({ ...write, Key: key })
    const events: object[] = []
    s3.onObjectCreated(({ detail: { object } }) => events.push({ ...object, key: '', sequencer: '' }))
    const [direct, full] = [await client.send(put('shows/d/state.json')), await whole.send(put('shows/e/state.json'))]
    expect(direct.ETag).toBe(full.ETag)
    expect(events[0]).toEqual(events[1])
    const head = async (key: string) =>
      whole.send(new HeadObjectCommand({ ...bucket, Key: key, ChecksumMode: 'ENABLED' }))
    const [one, other] = [await head('shows/d/state.json'), await head('shows/e/state.json')]
    expect([one.ContentType, one.ChecksumCRC32, one.Metadata]).toEqual([
      other.ContentType,
      other.ChecksumCRC32,
      other.Metadata,
    ])
    expect(names).toEqual(['s3 PutObject shows/d/state.json'])
    expect(requests).toEqual([])
  })

  it('writes the bytes of a published file without a request', async () => {
    const { client, requests } = open()
    const Body = Buffer.from([0, 255, 1])
    const put = { ...bucket, Key: 'recordings/one/hls/video-0.mp4', Body, ContentType: 'video/mp4', ContentLength: 3 }
    await client.send(new PutObjectCommand(put))
    const stored = await whole.send(new GetObjectCommand({ ...bucket, Key: put.Key }))
    expect(Buffer.from((await stored.Body?.transformToByteArray()) ?? [])).toEqual(Body)
    expect(requests).toEqual([])
  })

  it('leaves a write whose condition is not met to the protocol', async () => {
    const { client, requests } = open()
    const write = { ...bucket, Key: 'shows/a/state.json', Body: '{}', ContentType: 'application/json' }
    const refused = client.send(new PutObjectCommand({ ...write, IfNoneMatch: '*' }))
    await expect(refused).rejects.toMatchObject({ name: 'PreconditionFailed' })
    expect(requests).toEqual([{ fault: undefined }])
  })

  it('leaves every other command and parameter to the protocol', async () => {
    const { client, requests, names } = open()
    await client.send(new GetObjectCommand({ ...bucket, Key: 'shows/a/state.json', Range: 'bytes=-2' }))
    await client.send(new HeadObjectCommand({ ...bucket, Key: 'shows/a/state.json', ChecksumMode: 'ENABLED' }))
    await client.send(new PutObjectCommand({ ...bucket, Key: 'shows/b/x.mp4', Body: 'x' }))
    expect(names).toEqual([])
    expect(requests).toEqual([undefined, undefined, undefined])
  })
})
