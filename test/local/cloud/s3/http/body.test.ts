import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSigner } from '../../../../../local/cloud/s3/http/signature.ts'
import {
  ACCESS_KEY,
  BACKENDS,
  BUCKET,
  codeOf,
  type Endpoint,
  inFiles,
  inMemory,
  pattern,
  refusal,
  SECRET,
  type SteppedEndpoint,
  sign,
} from '../endpoints.ts'

describe.each(BACKENDS)('createBody %s', (_name, open) => {
  let endpoint: Endpoint
  beforeAll(async () => {
    endpoint = await open()
  })
  afterAll(() => endpoint.close())

  it('answers a large body that it refuses unread', async () => {
    const client = endpoint.connect({ credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: 'wrong' } })
    const command = new PutObjectCommand({ Bucket: BUCKET, Key: 'large', Body: pattern(20_000_000) })
    expect(await refusal(client.send(command))).toMatchObject({ name: 'SignatureDoesNotMatch', status: 403 })
    const nowhere = new PutObjectCommand({ Bucket: 'nowhere', Key: 'large', Body: pattern(20_000_000) })
    expect(await refusal(endpoint.client.send(nowhere))).toMatchObject({ name: 'NoSuchBucket' })
  })
})

/** Bodies that the SDK never sends: manual framing, and wrong lengths. */
describe('createBody', () => {
  let endpoint: SteppedEndpoint
  beforeAll(async () => {
    endpoint = await inMemory()
  })
  afterAll(() => endpoint.close())

  const path = `/${BUCKET}/made-by-hand`
  const put = async (headers: Record<string, string>, body: string) => {
    const signed = await sign(endpoint, { method: 'PUT', path, headers })
    return endpoint.send(new Request(signed, { body: Buffer.from(body) }))
  }
  const framed = (headers: Record<string, string> = {}) => ({
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'content-encoding': 'aws-chunked',
    'x-amz-decoded-content-length': '8',
    'x-amz-trailer': 'x-amz-checksum-crc32',
    ...headers,
  })
  const unsigned = (length: string) => ({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'content-length': length })
  const isStored = async () => {
    const head = new HeadObjectCommand({ Bucket: BUCKET, Key: 'made-by-hand' })
    return endpoint.client.send(head).then(
      () => true,
      () => false,
    )
  }

  it.each([
    ['shorter than announced', unsigned('6'), 'hello', 'IncompleteBody'],
    ['longer than announced', unsigned('4'), 'hello', 'IncompleteBody'],
    ['of no announced length', { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }, 'hello', 'MissingContentLength'],
    ['over 5 GiB', unsigned('5368709121'), 'hello', 'EntityTooLarge'],
    ['cut off in a chunk', framed(), '8\r\nabc', 'IncompleteBody'],
    ['cut off between chunks', framed(), '5\r\nabcde\r\n', 'IncompleteBody'],
    ['whose chunk is longer than it says', framed(), '7\r\nabcdefgh\r\n0\r\n\r\n', 'IncompleteBody'],
    ['without framing', framed(), 'abcdefgh', 'IncompleteBody'],
    [
      'decoded to another length',
      framed(),
      '5\r\nabcde\r\n0\r\nx-amz-checksum-crc32:hYfYZQ==\r\n\r\n',
      'IncompleteBody',
    ],
    ['without its trailer', framed(), '8\r\nabcdefgh\r\n0\r\n\r\n', 'InvalidRequest'],
    ['whose trailer is wrong', framed(), '8\r\nabcdefgh\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n', 'BadDigest'],
    ['with a trailer of an unknown kind', framed({ 'x-amz-trailer': 'x-other' }), '0\r\n\r\n', 'InvalidRequest'],
    [
      'with two checksums',
      { ...unsigned('1'), 'x-amz-checksum-crc32': 'a', 'x-amz-checksum-sha1': 'b' },
      'x',
      'InvalidRequest',
    ],
    [
      'with a checksum in name only',
      { ...unsigned('1'), 'x-amz-sdk-checksum-algorithm': 'CRC32' },
      'x',
      'InvalidRequest',
    ],
    ['with a checksum of an unknown kind', { ...unsigned('1'), 'x-amz-checksum-sha512': 'a' }, 'x', 'NotImplemented'],
    ['hashed in an unknown way', { 'x-amz-content-sha256': 'SECRET', 'content-length': '1' }, 'x', 'InvalidArgument'],
  ])('stores nothing of a body %s', async (_what, headers, body, code) => {
    expect(await codeOf(await put(headers, body))).toBe(code)
    expect(await isStored()).toBe(false)
  })

  it('takes framing in chunks of any size, with or without the last line', async () => {
    for (const end of ['\r\n\r\n', '\r\n']) {
      const body = `3\r\nabc\r\n5\r\ndefgh\r\n0\r\nx-amz-checksum-crc32:ru8qUA==${end}`
      expect(await codeOf(await put(framed(), body))).toBe('status 200')
      const { Body } = await endpoint.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'made-by-hand' }))
      expect(await Body?.transformToString()).toBe('abcdefgh')
    }
  })

  it.each([false, true])('verifies the signature of every chunk (trailer: %s)', async (trailer) => {
    const kind = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer ? '-TRAILER' : ''}`
    const { 'x-amz-trailer': name, ...rest } = framed({ 'x-amz-content-sha256': kind })
    const signed = await sign(endpoint, {
      method: 'PUT',
      path,
      headers: trailer ? { ...rest, 'x-amz-trailer': name } : rest,
    })
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const time = signed.headers.get('x-amz-date') ?? ''
    const signer = createSigner(SECRET, { accessKeyId: ACCESS_KEY, day: time.slice(0, 8), region: 'us-east-1', time })
    let previous = /Signature=(\w+)/.exec(signed.headers.get('authorization') ?? '')?.[1] ?? ''
    const chunks = ['abc', 'defgh', ''].map((data) => {
      previous = signer.signNext('PAYLOAD', previous, [hash(''), hash(data)])
      return `${data.length.toString(16)};chunk-signature=${previous}\r\n${data}${data ? '\r\n' : ''}`
    })
    const sum = 'x-amz-checksum-crc32:ru8qUA=='
    const last = signer.signNext('TRAILER', previous, [hash(`${sum}\n`)])
    const body = chunks.join('') + (trailer ? `${sum}\r\nx-amz-trailer-signature:${last}\r\n\r\n` : '\r\n')
    const send = (text: string) => endpoint.send(new Request(signed.clone(), { body: Buffer.from(text) }))
    expect(await codeOf(await send(body))).toBe('status 200')
    expect(await codeOf(await send(body.replace('defgh', 'defgx')))).toBe('SignatureDoesNotMatch')
    if (trailer) expect(await codeOf(await send(body.replace(sum, `${sum} `)))).toBe('status 200')
    if (trailer) expect(await codeOf(await send(body.replace('ru8q', 'ru8r')))).toBe('SignatureDoesNotMatch')
  })
})

describe('createS3 over a connection that breaks', () => {
  it('keeps neither object nor bytes', async () => {
    const endpoint = await inFiles()
    onTestFinished(endpoint.close)
    const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'content-length': '1000000' }
    const signed = await sign(endpoint, { method: 'PUT', path: `/${BUCKET}/broken`, headers })
    const { hostname, port, host } = new URL(endpoint.url)
    const socket: Socket = connect(Number(port), hostname)
    const lines = [...signed.headers]
      .filter(([name]) => name !== 'host')
      .map(([name, value]) => `${name}: ${value}\r\n`)
    const target = signed.url.slice(endpoint.url.length)
    socket.write(`PUT ${target} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`)
    socket.write(pattern(500_000))
    await expect.poll(endpoint.blobs ?? (() => [])).toHaveLength(1)
    socket.destroy()
    await expect.poll(endpoint.blobs ?? (() => ['no files'])).toEqual([])
    const head = new HeadObjectCommand({ Bucket: BUCKET, Key: 'broken' })
    expect(await refusal(endpoint.client.send(head))).toMatchObject({ name: 'NotFound' })
  })
})
