import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSandbox, type WorldOptions } from '../open-sandbox.ts'
import { createMemoryBucket, uploadTarget } from './memory-bucket.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Opens a sandbox with an archive of ten seconds that has just stopped. */
async function openStopped(options: WorldOptions & { target?: object } = {}) {
  const { target, ...rest } = options
  const world = openSandbox(rest)
  const { call, clock, join, createSession, sandbox } = world
  if (target) await call('setUploadTarget', { ...target })
  const sessionId = await createSession()
  await join(sessionId)
  const archiveId: string = (await call('startArchive', { sessionId })).body.id
  await clock.advance(10_000)
  await call('stopArchive', { archiveId })
  const read = async () => (await call('getArchive', { archiveId })).body
  const fetchFile = async (url: string) => sandbox.fetch(new Request(url))
  return { ...world, archiveId, read, fetchFile }
}

describe('createArchiveDelivery', () => {
  it('uploads a finished file to the target, byte for byte', async () => {
    const bucket = createMemoryBucket()
    const { sandbox, apiKey, archiveId, read } = await openStopped({
      uploadHandler: bucket.handler,
      target: uploadTarget(),
    })
    await sandbox.settled()

    const key = `/recordings/${apiKey}/${archiveId}/archive.mp4`
    const file = bucket.objects.get(key) ?? Buffer.of()
    const archive = await read()
    expect(archive).toMatchObject({ status: 'uploaded', reason: 'user initiated', url: null, duration: 10 })
    expect(file.length).toBe(archive.size)
    expect(createHash('sha256').update(file).digest('base64')).toBe(archive.sha256sum)
    expect(bucket.requests[0]?.headers.authorization).toContain('Credential=key/')
    await sandbox.close()
  })

  it('signs by the sandbox’s clock', async () => {
    const bucket = createMemoryBucket()
    const { sandbox } = await openStopped({ uploadHandler: bucket.handler, target: uploadTarget() })
    await sandbox.settled()
    expect(bucket.requests[0]?.headers['x-amz-date']).toMatch(/^20261120T0900/)
  })

  it('requests encryption if the target does', async () => {
    const bucket = createMemoryBucket()
    const { config, ...target } = uploadTarget()
    const { sandbox } = await openStopped({
      uploadHandler: bucket.handler,
      target: { ...target, config: { ...config, sse: 's3' } },
    })
    await sandbox.settled()
    expect(bucket.requests[0]?.headers['x-amz-server-side-encryption']).toBe('AES256')
  })

  it('keeps an archive stopped during retries, and then uploads it', async () => {
    const bucket = createMemoryBucket([500, 503])
    const { sandbox, clock, read } = await openStopped({ uploadHandler: bucket.handler, target: uploadTarget() })
    await sandbox.settled()
    await clock.advance(5_999)
    expect(await read()).toMatchObject({ status: 'stopped', size: 2_024 })
    await clock.advance(1)
    await sandbox.settled()
    expect(await read()).toMatchObject({ status: 'uploaded' })
    expect(bucket.requests).toHaveLength(3)
  })

  it('uses the target at the time of each attempt', async () => {
    const bucket = createMemoryBucket([500])
    const { sandbox, clock, call } = await openStopped({ uploadHandler: bucket.handler, target: uploadTarget() })
    await sandbox.settled()
    await call('setUploadTarget', uploadTarget('none', 'elsewhere'))
    await clock.advance(1_000)
    await sandbox.settled()
    expect([...bucket.objects.keys()]).toEqual([expect.stringMatching(/^\/elsewhere\//)])
  })

  it('fails an archive whose upload is refused when the fallback is none', async () => {
    const bucket = createMemoryBucket([403])
    const { sandbox, read } = await openStopped({ uploadHandler: bucket.handler, target: uploadTarget() })
    await sandbox.settled()
    expect(await read()).toMatchObject({ status: 'failed', reason: 'failure', url: null })
    expect(bucket.requests).toHaveLength(1)
  })

  it('keeps a file whose upload failed repeatedly, with the fallback opentok', async () => {
    const bucket = createMemoryBucket([500, 500, 500, 500])
    const { sandbox, clock, read, fetchFile } = await openStopped({
      uploadHandler: bucket.handler,
      target: uploadTarget('opentok'),
    })
    await clock.advance(MINUTE)
    await sandbox.settled()
    const archive = await read()
    expect(archive).toMatchObject({ status: 'available', reason: 'user initiated' })
    const file = Buffer.from(await (await fetchFile(archive.url)).arrayBuffer())
    expect(createHash('sha256').update(file).digest('base64')).toBe(archive.sha256sum)
  })

  it('serves an available file for ten minutes by each URL', async () => {
    const { sandbox, clock, read, fetchFile } = await openStopped()
    await sandbox.settled()
    const { url, size } = await read()
    const response = await fetchFile(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect((await response.arrayBuffer()).byteLength).toBe(size)
    const head = await sandbox.fetch(new Request(url, { method: 'HEAD' }))
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(size), ''])

    await clock.advance(10 * MINUTE - 1)
    expect((await fetchFile(url)).status).toBe(200)
    await clock.advance(1)
    expect((await fetchFile(url)).status).toBe(404)
    expect((await fetchFile((await read()).url)).status).toBe(200)
  })

  it.each<[string, Record<string, string>, [number, number] | 'all' | 'none']>([
    ['bytes=0-9', {}, [0, 10]],
    ['bytes=1000-', {}, [1000, Infinity]],
    ['bytes=-7', {}, [-7, Infinity]],
    ['bytes=1000-999999999', {}, [1000, Infinity]],
    ['bytes=0-9', { 'if-range': 'of-the-file' }, [0, 10]],
    ['bytes=0-9', { 'if-range': '"another"' }, 'all'],
    ['bytes=0-9, 20-29', {}, 'all'],
    ['bytes=9-0', {}, 'all'],
    ['lines=0-9', {}, 'all'],
    ['bytes=99999999-', {}, 'none'],
    ['bytes=-0', {}, 'none'],
  ])('serves %s of a file, with %j', async (range, more, expected) => {
    const { sandbox, read } = await openStopped()
    await sandbox.settled()
    const { url, size } = await read()
    const fetchWith = (headers: Record<string, string>) => sandbox.fetch(new Request(url, { headers }))
    const whole = await fetchWith({})
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag') ?? ''
    expect(whole.headers.get('accept-ranges')).toBe('bytes')

    const given = Object.entries(more).map(([name, value]) => [name, value === 'of-the-file' ? etag : value])
    const response = await fetchWith({ range, ...Object.fromEntries(given) })
    const part = Buffer.from(await response.arrayBuffer())
    if (expected === 'none') {
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
      return
    }
    const wanted = expected === 'all' ? bytes : bytes.subarray(expected[0], expected[1])
    expect([response.status, part]).toEqual([expected === 'all' ? 200 : 206, wanted])
    expect(response.headers.get('content-length')).toBe(String(wanted.length))
    const start = bytes.length - bytes.subarray(expected === 'all' ? 0 : expected[0]).length
    expect(response.headers.get('content-range')).toBe(
      expected === 'all' ? null : `bytes ${start}-${start + wanted.length - 1}/${size}`,
    )
  })

  it('serves no file under a forged URL', async () => {
    const { sandbox, read, fetchFile } = await openStopped()
    await sandbox.settled()
    const { url } = await read()
    const [, , , , id, expires, signature] = url.split('/')
    const later = url.replace(expires, String(Number(expires) + 1))
    const other = url.replace(
      id,
      id.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0')),
    )
    const forged = url.replace(signature, 'A'.repeat(signature.length))
    for (const made of [later, other, forged]) expect((await fetchFile(made)).status).toBe(404)
  })

  it('expires an available archive after 72 h', async () => {
    const { sandbox, clock, read, fetchFile } = await openStopped()
    await sandbox.settled()
    await clock.advance(72 * HOUR - 1)
    const { url } = await read()
    await clock.advance(1)
    expect(await read()).toMatchObject({ status: 'expired', url: null, reason: 'user initiated' })
    expect((await fetchFile(url)).status).toBe(404)
  })
})
