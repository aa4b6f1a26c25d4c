import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../open-sandbox.ts'

const MINUTE = 60_000
const accountKey = Buffer.from('the key of the account').toString('base64')

/** Opens a sandbox that uploads its archive to a container with the given answers, by default 201. */
async function openStopped(answers: (number | 'nothing')[] = [], fallback = 'none', config = {}) {
  const requests: { url: string; headers: Headers; bytes: Buffer }[] = []
  const world = openSandbox({
    async azureFetch(request) {
      const answer = answers.shift() ?? 201
      if (answer === 'nothing') throw new TypeError('fetch failed')
      const { url, headers } = request
      requests.push({ url, headers, bytes: Buffer.from(await request.arrayBuffer()) })
      return new Response(null, { status: answer })
    },
  })
  const { call, clock, join, createSession, sandbox } = world
  const target = { accountName: 'account', accountKey, container: 'recordings', ...config }
  expect(await call('setUploadTarget', { type: 'azure', config: target, fallback })).toMatchObject({ status: 200 })
  const sessionId = await createSession()
  await join(sessionId)
  const archiveId: string = (await call('startArchive', { sessionId })).body.id
  await clock.advance(10_000)
  await call('stopArchive', { archiveId })
  await sandbox.settled()
  const read = async () => (await call('getArchive', { archiveId })).body
  return { ...world, archiveId, read, requests }
}

describe('putBlob', () => {
  it('puts the file into the container, byte for byte', async () => {
    const { requests, read, apiKey, archiveId } = await openStopped()
    const archive = await read()
    expect(archive).toMatchObject({ status: 'uploaded', url: null })
    const url = `https://account.blob.core.windows.net/recordings/${apiKey}/${archiveId}/archive.mp4`
    expect(requests).toMatchObject([{ url }])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toMatchObject({
      'content-length': String(archive.size),
      'content-type': 'video/mp4',
      'x-ms-blob-type': 'BlockBlob',
      'x-ms-date': 'Fri, 20 Nov 2026 09:00:10 GMT',
    })
    expect(
      createHash('sha256')
        .update(requests[0]?.bytes ?? '')
        .digest('base64'),
    ).toBe(archive.sha256sum)
  })

  it('signs by the account’s key', async () => {
    const { requests, apiKey, archiveId } = await openStopped()
    const headers = requests[0]?.headers
    const signed = `PUT\n\n\n${headers?.get('content-length')}\n\nvideo/mp4\n\n\n\n\n\n\nx-ms-blob-type:BlockBlob
x-ms-date:Fri, 20 Nov 2026 09:00:10 GMT
x-ms-version:2021-08-06
/account/recordings/${apiKey}/${archiveId}/archive.mp4`
    const signature = createHmac('sha256', 'the key of the account').update(signed).digest('base64')
    expect(headers?.get('authorization')).toBe(`SharedKey account:${signature}`)
  })

  it('uploads to the target’s domain', async () => {
    const { requests } = await openStopped([], 'none', { domain: 'blob.example.com' })
    expect(new URL(requests[0]?.url ?? '').host).toBe('account.blob.example.com')
  })

  it.each([
    ['opentok', 'available', 'user initiated'],
    ['none', 'failed', 'failure'],
  ])('falls back to %s when the container does not answer: %s', async (fallback, status, reason) => {
    const { clock, read } = await openStopped(Array(9).fill('nothing'), fallback)
    expect((await read()).status).toBe('stopped')
    await clock.advance(MINUTE)
    expect(await read()).toMatchObject({ status, reason })
  })

  it('is retried when the container fails, and not when it refuses', async () => {
    const failing = await openStopped([503, 'nothing'])
    await failing.clock.advance(MINUTE)
    expect(await failing.read()).toMatchObject({ status: 'uploaded' })
    const refusing = await openStopped([403])
    expect(await refusing.read()).toMatchObject({ status: 'failed' })
    expect(refusing.requests).toHaveLength(1)
  })

  it('applies the fallback when the account’s name is not a host name', async () => {
    const { clock, read, requests } = await openStopped([], 'opentok', { accountName: 'no such name' })
    await clock.advance(MINUTE)
    expect(await read()).toMatchObject({ status: 'available' })
    expect(requests).toEqual([])
  })
})
