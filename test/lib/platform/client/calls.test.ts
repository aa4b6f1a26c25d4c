import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createPlatformClient, type PlatformClient } from '../../../../lib/platform/client/client.ts'
import type { PlatformClientOptions } from '../../../../lib/platform/client/options.ts'
import { operations } from '../../../../lib/platform/contract/operations/operations.ts'
import {
  ACCOUNT,
  API_KEY,
  API_SECRET,
  createSleepRecordingClock,
  type Fault,
  failure,
  faults,
  send,
  startPlatformServer,
} from './platform-server.ts'

let clock: ReturnType<typeof createSleepRecordingClock>
let server: Awaited<ReturnType<typeof startPlatformServer>>
let client: PlatformClient

beforeEach(async () => {
  clock = createSleepRecordingClock()
  server = await startPlatformServer(clock)
  client = createClient()
})
afterEach(async () => {
  await server.close()
  expect(server.complaints).toEqual([])
})

const random = almostOne()
let carrier: Pick<PlatformClientOptions, 'fetch'> = {}

function createClient(options?: Partial<PlatformClientOptions>) {
  const defaults = { baseUrl: server.url, apiKey: API_KEY, apiSecret: API_SECRET, clock, random }
  return createPlatformClient({ ...defaults, ...carrier, ...options })
}

/** Returns numbers just below 1, so that delays are maximal. No number repeats, so that tokens differ. */
function almostOne() {
  let step = 0
  return () => 1 - ++step / 2 ** 32
}

const { sessionId } = operations.startArchive.example.request
const archiveId = operations.getArchive.example.request.archiveId
const archive = operations.getArchive.example.response

/** Injects the fault into every attempt, and advances the clock by the timeout after each has arrived. */
async function timeOut(call: () => Promise<unknown>, fault: Fault, attempts = 3) {
  server.faults.push(...Array<Fault>(attempts).fill(fault))
  let arrival = server.arrival()
  const failed = failure(call())
  for (let n = 0; n < attempts; n++) {
    await arrival
    arrival = server.arrival()
    await clock.advance(10_000)
  }
  return failed
}

describe.each<[string, typeof carrier]>([
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
])('a call with %s', (_, by) => {
  beforeEach(() => {
    carrier = by
    client = createClient()
  })
  afterEach(() => {
    carrier = {}
  })

  it.each([
    [400, 'PlatformRequestError'],
    [401, 'PlatformAuthError'],
    [403, 'PlatformAuthError'],
    [404, 'PlatformNotFoundError'],
    [405, 'PlatformRequestError'],
    [408, 'PlatformRequestError'],
    [409, 'PlatformConflictError'],
    [413, 'PlatformRequestError'],
    [429, 'PlatformThrottledError'],
    [500, 'PlatformUnavailableError'],
    [503, 'PlatformUnavailableError'],
  ])('rejects an answer of status %i with a %s that has the platform’s message', async (status, name) => {
    server.faults.push(send(status, { code: 4711, message: 'As the platform says.' }, { 'x-request-id': 'r-1' }))
    const error = await failure(createClient({ retries: { attempts: 1 } }).stopArchive({ archiveId }))
    expect(error).toMatchObject({ name, status })
    expect(error.details).toEqual({
      operation: 'stopArchive',
      attempt: 1,
      code: 4711,
      message: 'As the platform says.',
      requestId: 'r-1',
    })
    expect(error.message).toMatch(new RegExp(`stopArchive.*${status}.*\\(As the platform says\\); \\w`))
  })

  it.each<[string, Fault, object]>([
    [
      'the form with a description',
      send(404, { code: -1, message: 'Gone', description: 'No such archive' }),
      { code: -1, message: 'Gone: No such archive' },
    ],
    ['text instead of JSON', send(404, 'no such thing'), { message: 'no such thing' }],
    ['HTML instead of JSON', send(404, '<h1>404</h1>\n<p>nginx'), { message: '404 nginx' }],
    ['JSON of another shape', send(404, { error: 'gone' }), { message: 'gone' }],
    ['deeply nested JSON', send(404, '['.repeat(100_000) + ']'.repeat(100_000)), { operation: 'stopArchive' }],
    ['an endless tag', send(404, '<'.repeat(1_000_000)), { operation: 'stopArchive' }],
  ])('parses an error in %s', async (_, fault, details) => {
    server.faults.push(fault)
    expect((await failure(client.stopArchive({ archiveId }))).details).toMatchObject(details)
  })

  it('uses the contract’s cause if the platform sends none', async () => {
    server.faults.push(send(409))
    expect((await failure(client.stopArchive({ archiveId }))).message).toContain('The archive is not being recorded')
  })

  it.each<[string, Fault, RegExp]>([
    ['HTML', faults.html, /text\/html instead of JSON/],
    ['a redirect', faults.redirect, /302.*base URL/],
    ['JSON of another shape', send(200, { ...archive, createdAt: 'late' }), /createdAt/],
    ['10 MB of garbage', faults.garbage, /more than \d+ bytes/],
    ['an announced length of 10 MB', faults.announcedGarbage, /more than \d+ bytes/],
    ['an empty body', send(200, ''), /instead of JSON/],
  ])('rejects an answer of %s with a PlatformResponseError and is not repeated', async (_, fault, message) => {
    server.faults.push(fault)
    const error = await failure(client.getArchive({ archiveId }))
    expect(error).toMatchObject({ name: 'PlatformResponseError', message: expect.stringMatching(message) })
    expect(server.received).toHaveLength(1)
  })

  it('accepts any body where the contract has none', async () => {
    server.faults.push(send(200, '<ok>'))
    expect(await client.deleteUploadTarget()).toBeUndefined()
  })

  it.each<[string, Fault]>([
    ['a reset', faults.reset],
    ['a half-closed connection', faults.halfClosed],
    ['500', send(500)],
    ['503', send(503, '<html>')],
    ['an incomplete body', faults.cutShort],
    ['429', send(429)],
  ])('repeats a repeatable operation after %s', async (_, fault) => {
    server.faults.push(fault, fault)
    expect(await client.getArchive({ archiveId })).toMatchObject({ id: archive.id })
    expect(server.received).toHaveLength(3)
    const ids = server.received.map(({ token }) => decodeJwt(token).jti)
    expect(new Set(ids).size).toBe(3)
  })

  it.each<[string, Fault, string]>([
    ['a reset', faults.reset, 'PlatformUnavailableError'],
    ['a half-closed connection', faults.halfClosed, 'PlatformUnavailableError'],
    ['503', send(503), 'PlatformUnavailableError'],
    ['an incomplete body', faults.cutShort, 'PlatformResponseError'],
  ])('does not repeat an operation that creates something after %s', async (_, fault, name) => {
    server.faults.push(fault)
    expect(await failure(client.startArchive({ sessionId }))).toMatchObject({ name, details: { attempt: 1 } })
    expect(server.received).toHaveLength(1)
  })

  it('repeats an operation that creates something after 429, which means it was not started', async () => {
    server.faults.push(send(429))
    expect(await client.startArchive({ sessionId })).toMatchObject({ status: 'started' })
    expect(server.received).toHaveLength(2)
  })

  it('is repeated after a refused connection, and its error counts the attempts', async () => {
    const gone = await startPlatformServer(clock)
    await gone.close()
    const error = await failure(createClient({ baseUrl: gone.url }).startArchive({ sessionId }))
    expect(error).toMatchObject({ name: 'PlatformUnavailableError', status: undefined, details: { attempt: 3 } })
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' })
    expect(error.message).toContain('attempt 3')
  })

  it('is repeated after a fetch error whose cause has only the code ECONNREFUSED', async () => {
    const fetch: typeof globalThis.fetch = async () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    }
    expect(await failure(createClient({ fetch }).startArchive({ sessionId }))).toMatchObject({
      details: { attempt: 3 },
    })
  })

  it('counts attempts in the error, so that callers notice the effect of a lost attempt', async () => {
    server.faults.push(faults.reset, send(409, { code: 409, message: 'Not recording' }))
    const error = await failure(client.stopArchive({ archiveId }))
    expect(error).toMatchObject({ name: 'PlatformConflictError', details: { attempt: 2 } })
  })

  it('waits exponentially longer with full jitter, up to the maximum delay', async () => {
    server.faults.push(...Array<Fault>(6).fill(send(503)))
    await failure(createClient({ retries: { attempts: 6, maxDelay: 1_000 } }).listArchives())
    expect(clock.sleeps.map(Math.round)).toEqual([200, 400, 800, 1_000, 1_000])
    clock.sleeps.length = 0
    server.faults.push(send(503))
    await createClient({ random: () => 1 - random() }).listArchives()
    expect(clock.sleeps.map(Math.round)).toEqual([0])
  })

  it.each([
    ['seconds', () => '7', 7_000],
    ['a date', () => new Date(clock.now() + 9_000).toUTCString(), 9_000],
    ['more than the maximum delay', () => '86400', 20_000],
    ['a past date', () => new Date(clock.now() - 9_000).toUTCString(), 200],
    ['nonsense', () => 'soon', 200],
  ])('honours a Retry-After of %s', async (_, header, wait) => {
    server.faults.push(send(429, '', { 'retry-after': header() }))
    await client.listArchives()
    expect(clock.sleeps.map(Math.round)).toEqual([wait])
  })

  it.each<[string, Fault]>([
    ['does not answer', faults.silent],
    ['sends no body', faults.headersOnly],
    ['sends it byte by byte', faults.trickling],
  ])('times out if the platform %s', async (_, fault) => {
    const start = clock.now()
    const error = await timeOut(() => client.listArchives(), fault)
    expect(error).toMatchObject({ name: 'PlatformUnavailableError', message: expect.stringContaining('10000 ms') })
    expect(clock.now() - start).toBeLessThan(31_000)
    expect(server.received).toHaveLength(3)
    expect(clock.nextDue()).toBeUndefined()
  })

  it.each([
    ['a fetch', () => new Promise<never>(() => undefined)],
    ['a body', async () => new Response(new ReadableStream())],
  ])('times out if %s ignores the signal', async (_, answer) => {
    const asked = Promise.withResolvers<void>()
    const fetch = () => {
      asked.resolve()
      return answer()
    }
    const failed = failure(createClient({ fetch }).startArchive({ sessionId }, { timeout: 50 }))
    await asked.promise
    await clock.advance(50)
    expect(await failed).toMatchObject({ name: 'PlatformUnavailableError' })
  })

  it('cancels its timer', async () => {
    await client.listArchives()
    expect(clock.nextDue()).toBeUndefined()
  })

  it('times out if the secret cannot be read', async () => {
    const failed = failure(createClient({ apiSecret: () => new Promise(() => undefined) }).startArchive({ sessionId }))
    await clock.advance(10_000)
    expect(await failed).toMatchObject({ name: 'PlatformUnavailableError' })
  })

  it('stops waiting for the next attempt if it is aborted', async () => {
    const stop = new AbortController()
    const sleep: typeof clock.sleep = (ms, signal) => {
      queueMicrotask(() => stop.abort('enough'))
      return createSteppedClock(0).sleep(ms, signal)
    }
    const waiting = createClient({ clock: { ...clock, sleep } })
    server.faults.push(send(503))
    await expect(waiting.listArchives({}, { signal: stop.signal })).rejects.toBe('enough')
  })

  it('reads the secret once more without a cache if the platform does not accept it', async () => {
    const asked: unknown[] = []
    const apiSecret: PlatformClientOptions['apiSecret'] = async (options) => {
      asked.push(options)
      return options?.fresh ? API_SECRET : 'the-secret-before-the-rotation'
    }
    server.faults.push(send(403, { code: 403, message: 'Invalid token' }))
    expect(await createClient({ apiSecret }).startArchive({ sessionId })).toMatchObject({ status: 'started' })
    expect(asked).toEqual([undefined, { fresh: true }])
    expect(clock.sleeps).toEqual([])
  })

  it('gives up if the new secret is not accepted, or at once if the secret is constant', async () => {
    server.faults.push(send(403), send(403), send(403))
    const error = await failure(createClient({ apiSecret: async () => API_SECRET }).listArchives())
    expect(error).toMatchObject({ name: 'PlatformAuthError', details: { attempt: 2 } })
    expect(await failure(client.listArchives())).toMatchObject({ details: { attempt: 1 } })
  })

  it('needs only the credentials of its operation', async () => {
    const { baseUrl, account } = { baseUrl: server.url, account: ACCOUNT }
    const ofAccount = createPlatformClient({ baseUrl, account, clock })
    expect(await ofAccount.listProjects()).toHaveLength(1)
    expect(await failure(ofAccount.listArchives())).toMatchObject({
      name: 'PlatformRequestError',
      message: expect.stringContaining('create the client with apiKey and apiSecret'),
    })
    expect(await failure(client.listProjects())).toMatchObject({
      name: 'PlatformRequestError',
      message: expect.stringContaining('create the client with account'),
    })
    expect(server.received.map(({ operation }) => operation)).toEqual(['listProjects'])
  })
})

describe('a call with adopt', () => {
  it('resolves with the resource that its lost attempt created', async () => {
    server.faults.push(faults.reset)
    const adopt = async () => (await client.listArchives({ sessionId })).items[0]
    expect(await client.startArchive({ sessionId }, { adopt })).toMatchObject({ id: archive.id })
    expect(server.received.map(({ operation }) => operation)).toEqual(['startArchive', 'listArchives'])
  })

  it('is repeated while there is nothing to adopt', async () => {
    let asked = 0
    const adopt = async () => void asked++
    server.faults.push(faults.reset, faults.cutShort)
    expect(await client.startArchive({ sessionId }, { adopt })).toMatchObject({ status: 'started' })
    expect([asked, server.received.length]).toEqual([2, 3])
  })

  it('does not call adopt before its first attempt', async () => {
    const adopt = () => expect.unreachable('nothing was lost')
    expect(await client.startArchive({ sessionId }, { adopt })).toMatchObject({ status: 'started' })
  })
})
