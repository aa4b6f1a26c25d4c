import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { createPlatformClient, type PlatformClient } from '../../../../lib/platform/client/client.ts'
import { PlatformRequestError } from '../../../../lib/platform/client/errors.ts'
import type { Operation } from '../../../../lib/platform/contract/operation.ts'
import { operations } from '../../../../lib/platform/contract/operations/operations.ts'
import {
  ACCOUNT,
  API_KEY,
  API_SECRET,
  createSleepRecordingClock,
  failure,
  INSIGHTS_PATH,
  send,
  startPlatformServer,
} from './platform-server.ts'

const clock = createSleepRecordingClock()
let server: Awaited<ReturnType<typeof startPlatformServer>>
let client: PlatformClient

beforeEach(async () => {
  server = await startPlatformServer(clock)
  const insightsUrl = `${server.url}${INSIGHTS_PATH}/`
  const credentials = { apiKey: API_KEY, apiSecret: API_SECRET, account: ACCOUNT }
  client = createPlatformClient({ baseUrl: server.url, insightsUrl, ...credentials, clock })
})
afterEach(async () => {
  await server.close()
  expect(server.complaints).toEqual([])
})

const sessionId = operations.startArchive.example.request.sessionId
const { example } = operations.startBroadcast

describe('createPlatformClient', () => {
  it.each(Object.entries<Operation>(operations))(
    '%s sends its example and resolves with its answer',
    async (name, operation) => {
      const call = client[name as keyof typeof operations] as (request: object) => Promise<unknown>
      const answer = await call(operation.example.request)
      expect(server.received).toMatchObject([{ operation: name }])
      if (name !== 'stopBroadcast')
        expect(answer).toEqual(operation.success.response?.parse(operation.example.response))
    },
  )

  it('creates routed sessions and sends the request as a form', async () => {
    const [session] = await client.createSession()
    expectTypeOf(session?.session_id).toEqualTypeOf<string | undefined>()
    expect(server.received[0]?.body).toBe('archiveMode=manual&p2p.preference=disabled')
  })

  it('refuses a request without a URL or a project before sending it', async () => {
    const bare = createPlatformClient({ baseUrl: server.url, apiKey: API_KEY, apiSecret: API_SECRET, clock })
    const refused = await failure(bare.queryInsights({ query: '{ project(projectId: 1) { __typename } }' }))
    expect(refused).toMatchObject({ name: 'PlatformRequestError', message: expect.stringContaining('insightsUrl') })
    const nameless = await failure(client.deleteProject({} as { apiKey: string }))
    expect(nameless).toMatchObject({ name: 'PlatformRequestError', message: expect.stringContaining('apiKey') })
    expect(server.received).toEqual([])
  })

  it('mutes a whole session only with active', async () => {
    await client.muteSession({ sessionId, active: true })
    expect(server.received[0]?.body).toBe('{"active":true,"excludedStreamIds":[]}')
    expect(await failure(client.muteSession({ sessionId } as { sessionId: string; active: boolean }))).toMatchObject({
      message: expect.stringContaining('active'),
    })
  })

  it('sends neither a body nor a content type for a project without a name', async () => {
    server.faults.push(send(200, operations.createProject.example.response))
    await client.createProject()
    expect(server.received[0]).toMatchObject({ body: '' })
    expect(server.received[0]?.headers).not.toHaveProperty('content-type')
  })

  it('signs a token that is valid for three minutes, or for tokenLifetime', async () => {
    await client.listArchives()
    await client.listArchives({}, { tokenLifetime: 300 })
    const lifetimes = server.received.map(({ token }) => decodeJwt(token)).map(({ exp = 0, iat = 0 }) => exp - iat)
    expect(lifetimes).toEqual([180, 300])
    expect(decodeJwt(String(server.received[0]?.token)).iat).toBe(Math.floor(clock.now() / 1000))
  })

  it('derives the ids of tokens from the random numbers', async () => {
    const seeded = createPlatformClient({
      baseUrl: server.url,
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      clock,
      random: () => 0.5,
    })
    await seeded.listArchives()
    expect(decodeJwt(String(server.received[0]?.token)).jti).toBe('80000000'.repeat(4))
  })

  it('sends the token in the configured header', async () => {
    const other = await startPlatformServer(clock, { header: 'x-opentok-auth' })
    const options = { baseUrl: `${other.url}/`, apiKey: API_KEY, apiSecret: API_SECRET, clock }
    await createPlatformClient({ ...options, authHeader: 'X-OPENTOK-AUTH' }).listArchives()
    await other.close()
    expect(other.complaints).toEqual([])
    expect(other.received[0]?.headers).not.toHaveProperty('x-service-auth')
  })

  it.each(['/über/', '/a%20b'])('accepts a base URL with the path %s', async (path) => {
    const baseUrl = server.url.replace('http', 'HTTP') + path
    const elsewhere = createPlatformClient({ baseUrl, apiKey: API_KEY, apiSecret: API_SECRET, clock })
    server.faults.push(send(200, operations.listArchives.example.response))
    await elsewhere.listArchives({ sessionId: 'ä b' })
    const asked = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/v2/project/${API_KEY}/archive?offset=0&count=50`
    expect(server.received[0]?.url).toBe(`${asked}&sessionId=%C3%A4+b`)
  })

  it('reuses the connection for the next call', async () => {
    for (let n = 0; n < 3; n++) await client.listArchives()
    expect(new Set(server.received.map(({ port }) => port)).size).toBe(1)
  })

  it('sends requests with the given fetch', async () => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      asked.push(`${init?.method} ${url}`)
      return Response.json(operations.getArchive.example.response)
    }
    const options = { baseUrl: 'https://platform.example', apiKey: API_KEY, apiSecret: API_SECRET, fetch }
    expect((await createPlatformClient(options).getArchive({ archiveId: 'a/b c' })).status).toBe('started')
    expect(asked).toEqual([`GET https://platform.example/v2/project/${API_KEY}/archive/a%2Fb%20c`])
  })

  it('converts RTMP outputs to an array', async () => {
    const output = { serverUrl: 'rtmps://live.example/app', streamName: 'x', status: 'live' }
    const withOutputs = (rtmp: unknown) => ({ ...example.response, broadcastUrls: { hls: 'https://a/b.m3u8', rtmp } })
    server.faults.push(
      send(200, withOutputs([{ id: 'one', ...output }])),
      send(200, withOutputs({ one: output })),
      send(200, { count: 1, items: [withOutputs({ one: output })] }),
    )
    const one = await client.startBroadcast(example.request)
    const two = await client.getBroadcast({ broadcastId: one.id })
    const three = (await client.listBroadcasts()).items[0]
    for (const broadcast of [one, two, three])
      expect(broadcast?.broadcastUrls).toEqual({ hls: 'https://a/b.m3u8', rtmp: [{ id: 'one', ...output }] })
    expect(two.broadcastUrls?.rtmp?.map(({ status }) => status)).toEqual(['live'])
  })

  it('converts the times of a stopped broadcast to milliseconds', async () => {
    const { response } = operations.stopBroadcast.example
    const times = { createdAt: response.createdAt * 1000, updatedAt: response.updatedAt * 1000 }
    server.faults.push(send(200, response), send(200, { ...response, ...times }))
    const request = { broadcastId: response.id }
    expect(await client.stopBroadcast(request)).toMatchObject(times)
    expect(await client.stopBroadcast(request)).toMatchObject(times)
  })

  it('keeps unknown fields of the answer', async () => {
    server.faults.push(send(200, { ...operations.getArchive.example.response, hasTranscription: true, origin: 1 }))
    const archive = await client.getArchive({ archiveId: 'a' })
    expect(archive).toMatchObject({ hasTranscription: true, origin: 1 })
  })

  const output = { serverUrl: 'rtmps://live.example/app', streamName: 'private' }
  const badArguments: [string, () => Promise<unknown>, RegExp][] = [
    ['a missing path argument', () => client.getArchive({} as never), /getArchive.*archiveId/],
    ['an id that a URL would drop', () => client.getArchive({ archiveId: '..' }), /archiveId/],
    [
      'a field of the wrong kind',
      () => client.startArchive({ sessionId, hasAudio: 'yes' as never }),
      /hasAudio.*boolean/,
    ],
    [
      'a nested field',
      () => client.startArchive({ sessionId, layout: { type: 'pip', stylesheet: 'x' } }),
      /layout.stylesheet/,
    ],
    ['an unknown argument', () => client.startArchive({ sessionId, tag: 'x' } as never), /argument tag/],
    [
      'an unknown nested argument',
      () => client.startBroadcast({ sessionId, outputs: { hls: { dvrr: true } as never } }),
      /outputs.hls.dvrr/,
    ],
    ['an API key', () => client.listArchives({ apiKey: '7' } as never), /argument apiKey/],
    [
      'an unknown argument in a list',
      () => client.startBroadcast({ sessionId, outputs: { rtmp: [{ ...output, backup: true } as typeof output] } }),
      /outputs.rtmp.0.backup/,
    ],
    [
      'an unknown argument in an item that replaces a list',
      () => client.startBroadcast({ sessionId, outputs: { rtmp: { ...output, backup: true } as typeof output } }),
      /outputs.rtmp.backup/,
    ],
    [
      'a field within a union',
      () => client.startBroadcast({ sessionId, outputs: { rtmp: [{ serverUrl: 'http://x', streamName: 'private' }] } }),
      /outputs.rtmp.0.serverUrl/,
    ],
    ['a number out of range', () => client.listArchives({ count: 1001 }), /count.*1000/],
    ['a token lifetime that is too long', () => client.listArchives({}, { tokenLifetime: 301 }), /tokenLifetime.*300/],
    ['a timeout of 0', () => client.listArchives({}, { timeout: 0 }), /timeout/],
  ]
  it.each(badArguments)('refuses %s before sending anything', async (_, call, message) => {
    const error = await failure(call())
    expect(error).toBeInstanceOf(PlatformRequestError)
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('private')
    expect(error.details.attempt).toBe(0)
    expect(server.received).toEqual([])
  })

  it.each([
    ['baseUrl', { baseUrl: 'platform.example' }],
    ['must not have credentials', { baseUrl: 'https://user:word@platform.example' }],
    ['query', { baseUrl: 'https://platform.example/?a=b' }],
    ['apiKey', { apiKey: '' }],
    ['apiSecret', { apiSecret: '' }],
    ['account', { account: { key: '42', secret: '' } }],
    ['authHeader', { authHeader: 'X Auth' }],
    ['timeout', { timeout: Number.NaN }],
    ['attempts', { retries: { attempts: 0 } }],
    ['delays', { retries: { maxDelay: -1 } }],
    ['delays', { retries: { longestDelay: -1 } }],
  ])('names the problem of an invalid option: %s', (name, options) => {
    const create = () => createPlatformClient({ baseUrl: server.url, apiKey: '1', apiSecret: 's', ...options })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(name)
  })

  it.each([
    ['neither a project nor an account', {}],
    ['a key without its secret', { apiKey: '1' }],
    ['a secret without its key', { apiSecret: 's', account: ACCOUNT }],
  ])('refuses credentials of %s', (_, credentials) => {
    expect(() => createPlatformClient({ baseUrl: server.url, ...credentials })).toThrow(/apiKey and apiSecret/)
  })

  it('rejects with the reason of its signal, before and during the request', async () => {
    await expect(client.listArchives({}, { signal: AbortSignal.abort('early') })).rejects.toBe('early')
    expect(server.received).toEqual([])
    const stop = new AbortController()
    server.faults.push(() => stop.abort('enough'))
    await expect(client.listArchives({}, { signal: stop.signal })).rejects.toBe('enough')
    expect(server.received).toHaveLength(1)
  })
})

describe('createPlatformClient().each', () => {
  const archive = operations.getArchive.example.response
  const page = (count: number, ...ids: string[]) => send(200, { count, items: ids.map((id) => ({ ...archive, id })) })
  const idsOf = async (items: AsyncIterable<{ id: string }>) => {
    const ids: string[] = []
    for await (const { id } of items) ids.push(id)
    return ids
  }

  it('iterates over every page and skips items that shifted to it', async () => {
    server.faults.push(page(5, 'e', 'd'), page(6, 'd', 'c'), page(6, 'b', 'a'))
    expect(await idsOf(client.each.listArchives({ sessionId, count: 2 }))).toEqual(['e', 'd', 'c', 'b', 'a'])
    const offsets = server.received.map(({ url }) => new URL(url, 'http://any').searchParams.get('offset'))
    expect(offsets).toEqual(['0', '2', '4'])
  })

  it('ends at an empty page if the total includes other sessions', async () => {
    server.faults.push(page(900, 'a'), page(900))
    expect(await idsOf(client.each.listArchives({ sessionId }))).toEqual(['a'])
  })

  it('requests no page before it is read', async () => {
    server.faults.push(page(900, 'a', 'b'))
    for await (const { id } of client.each.listArchives({ count: 2 })) {
      expect(id).toBe('a')
      break
    }
    expect(server.received).toHaveLength(1)
  })

  it('requests lists without pages once', async () => {
    expect(await idsOf(client.each.listStreams({ sessionId }))).toEqual([operations.getStream.example.response.id])
    expect(await idsOf(client.each.listProjects())).toEqual([operations.getProject.example.response.id])
    expect(server.received).toHaveLength(2)
  })

  it('has every operation that lists, and no other', () => {
    const lists = Object.keys(operations).filter((name) => name.startsWith('list'))
    expect(Object.keys(client.each)).toEqual(lists)
  })
})
