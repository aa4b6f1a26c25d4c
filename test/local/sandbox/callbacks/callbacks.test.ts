import { describe, expect, it } from 'vitest'
import { createCallbackVerifier } from '../../../../lib/platform/client/callbacks/callbacks.ts'
import { type CallbackKind, callbacks } from '../../../../lib/platform/contract/callbacks.ts'
import type { CallbackFetch } from '../../../../local/sandbox/callbacks/callbacks.ts'
import { openSandbox, type WorldOptions } from '../open-sandbox.ts'

const MINUTE = 60_000
const url = 'http://127.0.0.1:3000/callbacks'
const secret = 'secret of the callbacks'

interface Received {
  readonly at: number
  readonly authorization: string
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every kind are looked into
  readonly body: any
}

/** Opens a receiver that answers with these statuses in turn, then with 200; `silence` never answers. */
async function openReceiver(answers: (number | 'silence' | 'reset')[] = [], options: WorldOptions = {}) {
  const received: Received[] = []
  const callbackFetch: CallbackFetch = async (request) => {
    const text = await request.text()
    const authorization = request.headers.get('authorization') ?? ''
    received.push({ at: world.clock.now(), authorization, text, body: JSON.parse(text) })
    const answer = answers.shift() ?? 200
    if (answer === 'reset') throw new TypeError('fetch failed')
    if (answer === 'silence') return new Promise(() => {})
    return new Response(answer === 204 ? null : 'ignored', { status: answer })
  }
  const world = openSandbox({ callbackFetch, ...options })
  const path = `/sandbox/projects/${world.apiKey}/callbacks`
  const register = (target: unknown) => world.send('PUT', path, { body: JSON.stringify(target) })
  const tally = async () => (await world.send('GET', path)).body
  expect(await register({ url, secret })).toEqual({ status: 204, body: '' })
  const eventNames = async () => {
    await world.clock.advance(0)
    return received.map(({ body }) => `${body.event} ${body.status ?? ''}`.trim())
  }
  return { ...world, received, register, tally, eventNames }
}

async function record({ createSession, join, call }: ReturnType<typeof openSandbox>) {
  const sessionId = await createSession()
  const participant = await join(sessionId, { name: 'Ada' })
  const { body } = await call('startArchive', { sessionId, name: 'program' })
  return { sessionId, participant, archiveId: body.id as string }
}

const kindOf = (event: string): CallbackKind =>
  event.startsWith('connection') ? 'connection' : event.startsWith('stream') ? 'stream' : (event as CallbackKind)

describe('createCallbacks', () => {
  it('announces clients, streams and each status of an archive, in order and in the contract’s form', async () => {
    const world = await openReceiver()
    const { archiveId, sessionId, participant } = await record(world)
    await world.clock.advance(MINUTE)
    await world.call('stopArchive', { archiveId })
    await participant.leave()
    const events = await world.eventNames()
    expect(events.filter((event) => event.startsWith('archive'))).toEqual([
      'archive started',
      'archive stopped',
      'archive available',
    ])
    expect(events.filter((event) => !event.startsWith('archive'))).toEqual([
      'connectionCreated',
      'streamCreated',
      'streamDestroyed',
      'connectionDestroyed',
    ])
    for (const { body } of world.received) callbacks[kindOf(body.event)].body.parse(body)

    const last = world.received.findLast(({ body }) => body.event === 'archive')?.body
    const { event: _event, url: _url, ...fields } = last
    expect((await world.call('getArchive', { archiveId })).body).toMatchObject(fields)
    expect(last).toMatchObject({ event: 'archive', name: 'program', reason: 'user initiated', duration: 60 })
    expect((await world.sandbox.fetch(new Request(last.url))).status).toBe(200)
    expect(world.received.at(-1)?.body).toMatchObject({
      sessionId,
      projectId: world.apiKey,
      timestamp: world.clock.now(),
      connection: { id: participant.connectionId, data: 'Ada' },
      reason: 'clientDisconnected',
    })
  })

  it('announces a broadcast’s start, change and end', async () => {
    const world = await openReceiver()
    const sessionId = await world.createSession()
    await world.join(sessionId)
    const { body } = await world.call('startBroadcast', { sessionId, outputs: { hls: {} } })
    await world.call('setBroadcastLayout', { broadcastId: body.id, type: 'pip' })
    await world.call('stopBroadcast', { broadcastId: body.id })
    expect((await world.eventNames()).filter((event) => event.startsWith('broadcast'))).toEqual([
      'broadcast started',
      'broadcast started',
      'broadcast stopped',
    ])
    const bodies = world.received.map((one) => one.body).filter(({ event }) => event === 'broadcast')
    for (const one of bodies) expect(callbacks.broadcast.body.parse(one)).toMatchObject({ id: body.id, sessionId })
  })

  it('signs each attempt again, for exactly its body', async () => {
    const world = await openReceiver([503])
    await record(world)
    await world.clock.advance(MINUTE)
    const verify = createCallbackVerifier({ secret, clock: world.clock })
    for (const { authorization, text } of world.received) await verify({ authorization, body: text })
    const [first, ...others] = world.received
    const again = others.find(({ text }) => text === first?.text)
    expect(again?.authorization).not.toBe(first?.authorization)
    const { authorization = '', text = '' } = first ?? {}
    await expect(verify({ authorization, body: `${text} ` })).rejects.toThrow('another body')
    const stranger = createCallbackVerifier({ secret: 'another one’s', clock: world.clock })
    await expect(stranger({ authorization, body: text })).rejects.toThrow(
      'is not valid (signature verification failed)',
    )
  })

  it('retries after 1 s, 5 s, 30 s, 2 min and 10 min, and then gives up', async () => {
    const world = await openReceiver([500, 404, 302, 'reset', 500, 500])
    const sessionId = await world.createSession()
    const start = world.clock.now()
    await world.join(sessionId, { publish: false })
    await world.clock.advance(60 * MINUTE)
    expect(world.received.map(({ at }) => (at - start) / 1000)).toEqual([0, 1, 6, 36, 156, 756])
    expect(await world.tally()).toEqual({ url, waiting: 0, delivered: 0, givenUp: 1, dropped: 0 })
  })

  it('keeps the order of a resource while its receiver is down, and delays nothing else', async () => {
    const world = await openReceiver([500])
    const sessionId = await world.createSession()
    const ada = await world.join(sessionId)
    await world.join(sessionId, { name: 'Bob' })
    await ada.leave()
    expect(await world.eventNames()).toEqual(['connectionCreated', 'connectionCreated', 'streamCreated'])
    expect((await world.tally()).waiting).toBe(4)
    await world.clock.advance(1_000)
    expect((await world.eventNames()).slice(3)).toEqual([
      'connectionCreated',
      'streamCreated',
      'streamDestroyed',
      'connectionDestroyed',
    ])
    expect(await world.tally()).toEqual({ url, waiting: 0, delivered: 6, givenUp: 0, dropped: 0 })
  })

  it('waits 10 s for an answer without delaying the platform', async () => {
    const world = await openReceiver(['silence'])
    const { archiveId } = await record(world)
    expect((await world.call('getArchive', { archiveId })).body.status).toBe('started')
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
    }
    const sent = world.clock.now()
    const attempts = () => world.received.filter(({ body }) => body.event === 'connectionCreated').length
    for (const due of [sent + 10_000, sent + 11_000]) {
      await until(() => attempts() === 1 && world.clock.nextDue() === due)
      world.clock.step()
    }
    await until(() => attempts() === 2)
    await world.sandbox.close()
  })

  it('keeps at most 1,000 callbacks of a project waiting', async () => {
    const world = await openReceiver(Array(2_000).fill(500))
    const sessionId = await world.createSession()
    for (let count = 0; count < 510; count++) await (await world.join(sessionId, { publish: false })).leave()
    expect(await world.tally()).toMatchObject({ waiting: 1_000, dropped: 20 })
    await world.sandbox.close()
    expect(world.clock.nextDue()).toBeUndefined()
  })

  it('sends waiting callbacks to a new target, and drops them without one', async () => {
    const asked: string[] = []
    const world = await openReceiver([], {
      callbackFetch: async (request) => {
        asked.push(new URL(request.url).pathname)
        return new Response('', { status: 500 })
      },
    })
    const sessionId = await world.createSession()
    await world.join(sessionId, { publish: false })
    await world.clock.advance(0)
    await world.register({ url: 'http://localhost:3000/moved', secret })
    await world.clock.advance(1_000)
    expect(await world.register(null)).toMatchObject({ status: 204 })
    await world.clock.advance(MINUTE)
    expect(asked).toEqual(['/callbacks', '/moved'])
    expect(await world.tally()).toEqual({ url: null, waiting: 0, delivered: 0, givenUp: 0, dropped: 1 })
    await world.join(sessionId, { publish: false })
    await world.clock.advance(MINUTE)
    expect(asked).toHaveLength(2)
  })

  it('sends each project’s callbacks to its own target', async () => {
    const world = await openReceiver()
    const { id: apiKey, secret: apiSecret } = (await world.call('createProject')).body
    await world.clock.advance(MINUTE)
    const [{ session_id }] = (await world.call('createSession', {}, { apiKey, apiSecret })).body
    await world.join(session_id)
    expect(await world.eventNames()).toEqual([])
  })
})

describe('createCallbackRoutes', () => {
  const mustBeLoopback = 'url must be an http URL of this machine, such as http://127.0.0.1:3000/callbacks.'
  it.each([
    [{ url: 'http://example.com/callbacks', secret }, mustBeLoopback],
    [{ url: 'http://127.0.0.1.example.com/', secret }, mustBeLoopback],
    [{ url: 'https://localhost/', secret }, mustBeLoopback],
    [{ url: 'file:///etc/passwd', secret }, mustBeLoopback],
    [{ url: 'callbacks', secret }, mustBeLoopback],
    [{ url }, 'secret is required.'],
    [{ url, secret: '' }, expect.stringMatching(/^secret: /)],
    [{}, 'url is required.'],
  ])('refuses %j', async (target, message) => {
    const { register } = await openReceiver()
    expect(await register(target)).toEqual({ status: 400, body: { code: 400, message } })
  })

  it('never shows the secret, and answers 404 for an unknown project', async () => {
    const { send, tally } = await openReceiver()
    expect(JSON.stringify(await tally())).not.toContain(secret)
    const elsewhere = '/sandbox/projects/100001/callbacks'
    expect(await send('PUT', elsewhere, { body: JSON.stringify({ url, secret }) })).toMatchObject({ status: 404 })
    expect(await send('GET', elsewhere)).toMatchObject({ status: 404 })
  })
})
