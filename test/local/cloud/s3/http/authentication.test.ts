import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { signByClock } from '../../../../../local/cloud/functions/in-process-handler.ts'
import { BUCKET, codeOf, inFiles, inMemory, presign, refusal, type SteppedEndpoint, sign } from '../endpoints.ts'

const MINUTE = 60_000

describe('authenticate', () => {
  let endpoint: SteppedEndpoint
  beforeEach(async () => {
    endpoint = await inMemory()
    await endpoint.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a b/'ü'", Body: 'hello' }))
  })
  afterEach(() => endpoint.close())

  const path = `/${BUCKET}/a%20b/%27%C3%BC%27`
  const get = new GetObjectCommand({ Bucket: BUCKET, Key: "a b/'ü'" })
  const bucketPath = (key: string) => `/${BUCKET}/${key}`

  it('refuses an access key it does not know', async () => {
    const client = endpoint.connect({ credentials: { accessKeyId: 'AKOTHER', secretAccessKey: 'x' } })
    expect(await refusal(client.send(get))).toMatchObject({ name: 'InvalidAccessKeyId', status: 403 })
  })

  it('refuses a signature by another secret', async () => {
    const client = endpoint.connect({ credentials: { accessKeyId: 'AKLAPTOP', secretAccessKey: 'x' } })
    expect(await refusal(client.send(get))).toMatchObject({ name: 'SignatureDoesNotMatch', status: 403 })
  })

  it('refuses another region, and says which', async () => {
    const client = endpoint.connect({ region: 'eu-west-1' })
    const refused = await refusal(client.send(get))
    expect(refused).toMatchObject({ name: 'AuthorizationHeaderMalformed', status: 400 })
    expect(refused.message).toContain("expecting 'us-east-1'")
  })

  it('refuses a session token, since it issues none', async () => {
    const credentials = { accessKeyId: 'AKLAPTOP', secretAccessKey: 'not/a+secret', sessionToken: 'token' }
    expect(await refusal(endpoint.connect({ credentials }).send(get))).toMatchObject({ name: 'InvalidToken' })
  })

  it.each([-16, 16])('refuses a clock that is %i minutes off', async (minutes) => {
    const client = endpoint.connect({})
    signByClock(client, createSteppedClock(endpoint.clock.now() + minutes * MINUTE))
    expect(await refusal(client.send(get))).toMatchObject({ name: 'RequestTimeTooSkewed', status: 403 })
    signByClock(client, createSteppedClock(endpoint.clock.now() + (minutes * MINUTE * 14) / 16))
    await client.send(get)
  })

  it('refuses a request without a signature', async () => {
    expect(await codeOf(await endpoint.send(new Request(`${endpoint.url}${path}`)))).toBe('AccessDenied')
    const headers = { authorization: 'Basic YTpi', 'x-amz-date': '20300101T000000Z' }
    const basic = new Request(`${endpoint.url}${path}`, { headers })
    expect(await codeOf(await endpoint.send(basic))).toBe('AuthorizationHeaderMalformed')
  })

  it('refuses what was changed after signing', async () => {
    const signed = await sign(endpoint, { method: 'GET', path })
    expect(await (await endpoint.send(signed.clone())).text()).toBe('hello')
    const moved = new Request(`${endpoint.url}${bucketPath('other')}`, signed)
    expect(await codeOf(await endpoint.send(moved))).toBe('SignatureDoesNotMatch')
    const asked = new Request(`${signed.url}&tagging`, signed)
    expect(await codeOf(await endpoint.send(asked))).toBe('SignatureDoesNotMatch')
    const added = signed.clone()
    added.headers.set('x-amz-meta-extra', '1')
    expect(await codeOf(await endpoint.send(added))).toBe('AccessDenied')
  })

  it('refuses a body other than the one that was hashed', async () => {
    const signed = await sign(endpoint, {
      method: 'PUT',
      path: bucketPath('hashed'),
      headers: { 'content-length': '5' },
      body: 'right',
    })
    const swapped = new Request(signed, { body: 'wrong' })
    swapped.headers.set('content-length', '5')
    expect(await codeOf(await endpoint.send(swapped))).toBe('XAmzContentSHA256Mismatch')
    expect((await endpoint.send(signed)).status).toBe(200)
  })

  it('takes a presigned address until it expires', async () => {
    const url = await presign(endpoint, { method: 'GET', path }, 60)
    const read = () => endpoint.send(new Request(url, { headers: { range: 'bytes=0-3' } }))
    expect(await (await read()).text()).toBe('hell')
    await endpoint.clock.advance(60_000)
    expect((await read()).status).toBe(206)
    await endpoint.clock.advance(1000)
    const expired = await read()
    expect(expired.status).toBe(403)
    expect(await expired.text()).toContain('<Code>AccessDenied</Code><Message>Request has expired.</Message>')
  })

  it('takes a presigned upload and passes over the checksum of no body that the SDK signs into it', async () => {
    const query = {
      'x-amz-checksum-crc32': 'AAAAAA==',
      'x-amz-sdk-checksum-algorithm': 'CRC32',
      'x-amz-meta-by': 'url',
    }
    const url = await presign(endpoint, { method: 'PUT', path: bucketPath('uploaded'), query }, 60)
    const headers = { 'content-length': '10' }
    expect((await endpoint.send(new Request(url, { method: 'PUT', body: 'presigned!', headers }))).status).toBe(200)
    const { Body, Metadata } = await endpoint.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'uploaded' }))
    expect(await Body?.transformToString()).toBe('presigned!')
    expect(Metadata).toEqual({ by: 'url' })
  })

  it('refuses a presigned address that was changed', async () => {
    const url = await presign(endpoint, { method: 'GET', path }, 60)
    const longer = url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000')
    expect(await codeOf(await endpoint.send(new Request(longer)))).toBe('SignatureDoesNotMatch')
    expect(await codeOf(await endpoint.send(new Request(url, { method: 'DELETE' })))).toBe('SignatureDoesNotMatch')
    const forever = url.replace('X-Amz-Expires=60', 'X-Amz-Expires=604801')
    expect(await codeOf(await endpoint.send(new Request(forever)))).toBe('AuthorizationQueryParametersError')
  })

  it('takes presigned addresses over a socket, where the host is the one of the header', async () => {
    const served = await inFiles()
    onTestFinished(served.close)
    await served.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "a b/'ü'", Body: 'hello' }))
    expect(await (await fetch(await presign(served, { method: 'GET', path }, 60))).text()).toBe('hello')
  })
})
