import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { platformEvents, type Receiver } from '../../../lib/events/platform-events.ts'
import { type CallbackKind, callbacks } from '../../../lib/platform/contract/callbacks.ts'
import type { DialInState } from '../../../lib/show/state/resources.ts'
import { isCall, losingAnswers } from '../../support/world/interceptors.ts'
import { openWorld, RECEIVER_SECRET, type World, webinar } from '../../support/world.ts'
import { openShow, run, runAnyhow } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

interface Posting {
  readonly kind?: string
  readonly secret?: string
  /** Seconds since it was signed. */
  readonly age?: number
  /** The signed body, if it differs from the received one. */
  readonly signed?: string
  readonly authorization?: string
  readonly isBase64Encoded?: boolean
}

const seconds = () => Math.floor(world.clock.now() / 1000)
const sign = (text: string, secret: string, age: number) => {
  const iat = seconds() - age
  const payload_hash = createHash('sha256').update(text).digest('hex')
  return new SignJWT({ iat, exp: iat + 86_400, payload_hash })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
}

/** Posts as the platform does, through API Gateway. */
async function post(body: unknown, posting: Posting = {}) {
  const { kind = 'all', secret = RECEIVER_SECRET, age = 0, isBase64Encoded = false } = posting
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const authorization = posting.authorization ?? `Bearer ${await sign(posting.signed ?? text, secret, age)}`
  const answer = await run(world, 'receiveCallback', {
    headers: { authorization },
    pathParameters: { kind },
    body: isBase64Encoded ? Buffer.from(text).toString('base64') : text,
    isBase64Encoded,
  })
  await handleReceived()
  return answer
}
/** Does what the rule for received callbacks does. */
async function handleReceived() {
  for (const event of world.received.splice(0)) await runAnyhow(world, 'handleCallback', event)
}
/** Puts the secrets of callbacks where the function reads them. */
const register = async (secrets: Partial<Record<string, string>>) => {
  const body = JSON.stringify({
    SecretId: 'platform-callbacks',
    SecretString: JSON.stringify(secrets),
    ClientRequestToken: randomUUID(),
  })
  const headers = { 'x-amz-target': 'secretsmanager.PutSecretValue', 'content-type': 'application/x-amz-json-1.1' }
  expect((await world.secrets.fetch(new Request('http://aws', { method: 'POST', headers, body }))).status).toBe(200)
}
const sent = () => world.platformEvents.map(({ detail }) => detail as Record<string, unknown>)
const kinds = Object.keys(callbacks) as CallbackKind[]
const { example } = callbacks.archive

describe('receiveCallback', () => {
  it.each(kinds)('publishes a callback of the kind %s by its schema', async (kind) => {
    const body = callbacks[kind].example
    expect(await post(body)).toEqual({ statusCode: 204, headers: {}, body: '' })
    const id = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    expect(world.platformEvents).toMatchObject([{ source: 'showrunner.platform', 'detail-type': kind }])
    expect(sent()).toMatchObject([{ version: 1, kind, id, receivedAt: world.now(), callback: { event: body.event } }])
    expect(platformEvents[kind].parse(sent()[0])).toEqual(sent()[0])
  })

  it('publishes neither links to files nor stream keys', async () => {
    await post({ ...example, url: 'https://files.example.com/a?signature=hush' })
    const rtmp = [{ id: 'one', serverUrl: 'rtmp://live.example.com/app', streamName: 'hush' }]
    await post({ ...callbacks.broadcast.example, broadcastUrls: { rtmp } })
    expect(sent()).toHaveLength(2)
    expect(JSON.stringify(sent())).not.toContain('hush')
  })

  it('answers before a callback is handled, with one call of AWS at the most', async () => {
    await post(example) // the secret is known from then on
    const asked: string[] = []
    world.interceptors.aws = async (request, pass) => {
      asked.push(request.headers.get('x-amz-target') ?? request.method)
      return new URL(request.url).pathname.includes('callbacks') ? new Response(null, { status: 503 }) : pass()
    }
    const text = JSON.stringify({ ...example, size: 1 })
    const headers = { authorization: `Bearer ${await sign(text, RECEIVER_SECRET, 0)}` }
    const request = { headers, pathParameters: { kind: 'all' }, body: text, isBase64Encoded: false }
    expect(await run(world, 'receiveCallback', request)).toMatchObject({ statusCode: 204 })
    expect(asked).toEqual(['AWSEvents.PutEvents'])
    await expect(handleReceived()).rejects.toMatchObject({ name: 'StorageError' }) // and EventBridge calls once more
  })

  it('accepts a body in base64, byte for byte', async () => {
    expect((await post(example, { isBase64Encoded: true })).statusCode).toBe(204)
    expect(sent()).toHaveLength(1)
  })

  it.each<[string, Posting]>([
    ['signed with another secret', { secret: 'another' }],
    ['signed for another body', { signed: 'another' }],
    ['signed too long ago', { age: 306 }],
    ['signed in the future', { age: -60 }],
    ['without a token', { authorization: '' }],
    ['with a token that is none', { authorization: 'Bearer none' }],
  ])('refuses one %s', async (_what, posting) => {
    const answer = await post(example, posting)
    expect(answer).toMatchObject({ statusCode: 401, headers: { 'content-type': 'application/problem+json' } })
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 401,
      detail: expect.stringMatching(/^The (signature of the )?callback /),
    })
    expect(sent()).toEqual([])
  })

  it('accepts a callback of the maximum age', async () => {
    expect((await post(example, { age: 300 })).statusCode).toBe(204)
  })

  it('accepts a replayed callback without publishing it, however it is signed', async () => {
    const authorization = `Bearer ${await sign(JSON.stringify(example), RECEIVER_SECRET, 0)}`
    await post(example, { authorization })
    expect((await post(example, { authorization })).statusCode).toBe(204)
    await world.clock.advance(60_000)
    expect((await post(example)).statusCode).toBe(204) // repeated by the platform with a new signature
    expect(sent()).toHaveLength(1)
    expect((await post(example, { authorization, age: 0 })).statusCode).toBe(204)
    await world.clock.advance(300_000)
    expect((await post(example, { authorization })).statusCode).toBe(401)
  })

  it('publishes an event again under the same id after an interruption', async () => {
    world.interceptors.aws = async (request, pass) => {
      if (isCall('PUT', /callbacks/)(request)) return new Response(null, { status: 503 })
      return pass()
    }
    await expect(post(example)).rejects.toMatchObject({ name: 'StorageError' })
    world.interceptors.aws = (_request, pass) => pass()
    expect((await post(example)).statusCode).toBe(204)
    const [first, second, ...more] = sent()
    expect([first?.id, more]).toEqual([second?.id, []])
  })

  it('publishes an event again that the bus may not have accepted', async () => {
    world.interceptors.aws = losingAnswers((request) => /AWSEvents/.test(request.headers.get('x-amz-target') ?? ''))
    await expect(post(example)).rejects.toMatchObject({ name: 'ServiceError' })
    expect((await post(example)).statusCode).toBe(204)
  })

  it.each<[Receiver, string, CallbackKind[]]>([
    ['archive', 'of archives', ['archive']],
    ['broadcast', 'of broadcasts', ['broadcast']],
    ['composer', 'of composers', ['composer']],
    ['sip', 'of calls', ['call']],
    ['session', 'of a session', ['connection', 'stream']],
  ])('accepts at %s, by its own secret, only callbacks %s', async (receiver, _what, taken) => {
    await register({ [receiver]: 'its own' })
    for (const kind of kinds) {
      const { statusCode } = await post(callbacks[kind].example, { kind: receiver, secret: 'its own' })
      expect([kind, statusCode]).toEqual([kind, taken.includes(kind) ? 204 : 422])
    }
    expect(sent()).toHaveLength(taken.length)
  })

  it.each(['all', 'sip', 'none', 'constructor'])('answers 404 at %s when nothing is registered there', async (kind) => {
    await register({ archive: 'its own' })
    expect((await post(example, { kind, secret: 'its own' })).statusCode).toBe(404)
  })

  it('accepts a secret that was replaced meanwhile, and reads it at most once a minute', async () => {
    await post(example)
    await register({ all: 'the new one' })
    let reads = 0
    world.interceptors.aws = async (request, pass) => {
      if (/secretsmanager/.test(request.headers.get('x-amz-target') ?? '')) reads++
      return pass()
    }
    expect((await post({ ...example, size: 1 }, { secret: 'the new one' })).statusCode).toBe(204)
    for (let times = 0; times < 3; times++) expect((await post(example, { secret: 'a guess' })).statusCode).toBe(401)
    expect(reads).toBe(1)
    await world.clock.advance(60_000)
    expect((await post(example, { secret: 'a guess' })).statusCode).toBe(401)
    expect(reads).toBe(2)
  })

  it.each(['no JSON', '7', '{}', '{"event":"constructor"}', '{"event":"archive"}', { ...example, status: null }])(
    'passes over %j, which names no event',
    async (body) => {
      expect((await post(body)).statusCode).toBe(422)
      expect(sent()).toEqual([])
    },
  )

  it('refuses an event that is not a request', async () => {
    await expect(runAnyhow(world, 'receiveCallback', {})).rejects.toMatchObject({ name: 'TaskInputError' })
  })
})

describe('receiveCallback of a dial-in whose answer was lost', () => {
  const document = {
    ...webinar,
    dialIns: [
      { name: 'stage', uri: 'sip:a@example.com' },
      { name: 'desk', uri: 'sip:b@example.com' },
    ],
  }
  const entry = async (name = 'stage') =>
    (await world.services.shows.state('a-show')).dialIns.find((one) => one.name === name)
  let sessionId: string

  beforeEach(async () => {
    ;({ sessionId } = await openShow(world, document))
    const { apiKey, send } = world.platform
    const target = { url: 'http://127.0.0.1/callbacks/all', secret: RECEIVER_SECRET }
    await send('PUT', `/sandbox/projects/${apiKey}/callbacks`, { body: JSON.stringify(target) })
    world.interceptors.platform = losingAnswers(isCall('POST', /\/dial$/))
    expect(await run(world, 'startDialIn', { showId: 'a-show', sessionId, name: 'stage' })).toMatchObject({
      outcome: 'unknown',
    })
  })
  /** What the platform posted. */
  const eventOf = async (event: string, which: 'first' | 'last' = 'first') => {
    await world.clock.advance(0)
    const found = world.posted
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .filter((one) => one.event === event)
    return (which === 'first' ? found.at(0) : found.at(-1)) ?? {}
  }
  const change = (dialIns: DialInState[]) => world.services.shows.update('a-show', (state) => ({ ...state, dialIns }))

  it('notes its connection by the tag that it carries, so that it can be ended', async () => {
    await post(await eventOf('connectionCreated'))
    const { connection } = (await eventOf('connectionCreated')) as { connection: { id: string } }
    expect(await entry()).toMatchObject({ status: 'dialed', connectionId: connection.id })
    await run(world, 'stopShow', { showId: 'a-show', sessionId, reason: null, failure: null })
    expect(await entry()).toMatchObject({ status: 'ended' })
  })

  it('notes the call’s id by its connection, in either order of callbacks', async () => {
    const { call } = (await eventOf('callCreated')) as { call: { id: string; connectionId: string } }
    await post(await eventOf('connectionCreated'))
    await post(await eventOf('callCreated'))
    expect(await entry()).toMatchObject({ status: 'dialed', callId: call.id, connectionId: call.connectionId })
    const { timeline } = await world.services.shows.state('a-show')
    expect(timeline.filter(({ what }) => what === 'dialIn.started')).toHaveLength(1)
  })

  it('notes both by the time, if the platform sends no callbacks of connections', async () => {
    const { call } = (await eventOf('callCreated')) as { call: { id: string; connectionId: string } }
    await post(await eventOf('callCreated'))
    expect(await entry()).toMatchObject({ status: 'dialed', callId: call.id, connectionId: call.connectionId })
    expect(await entry('desk')).toEqual({ name: 'desk' })
  })

  it('notes nothing where it may be another’s: two were lost at that time, or it was at another time', async () => {
    const lost = { askedAt: world.now(), status: 'unknown' as const }
    await change([
      { name: 'stage', ...lost },
      { name: 'desk', ...lost },
    ])
    await post(await eventOf('callCreated'))
    expect(await entry()).toEqual({ name: 'stage', ...lost })
    const earlier = { ...lost, askedAt: new Date(world.clock.now() - 61_000).toISOString() }
    await change([{ name: 'stage', ...earlier }])
    await post({ ...(await eventOf('callCreated')), timestamp: 1 })
    expect(await entry()).toEqual({ name: 'stage', ...earlier })
  })

  it('ignores another session, another tag, and a known connection', async () => {
    const created = (await eventOf('connectionCreated')) as { connection: object }
    const before = await world.services.shows.state('a-show')
    await post({ ...created, sessionId: 'another' })
    await post({ ...created, connection: { ...created.connection, data: 'a-show/dial-ins/none' } })
    await post({ ...created, connection: { ...created.connection, data: 'none/dial-ins/stage' } })
    await post({ ...created, connection: { ...created.connection, data: 'Ada' } })
    await post({ ...created, event: 'connectionDestroyed' })
    await post({ ...(await eventOf('callCreated')), sessionId: 'another' })
    await post(await eventOf('callUpdated'))
    expect(await world.services.shows.state('a-show')).toEqual(before)
    const known = { name: 'stage', askedAt: world.now(), status: 'dialed' as const, connectionId: 'c', callId: 'd' }
    await change([known])
    await post(created)
    await post(await eventOf('callCreated'))
    expect(await entry()).toEqual(known)
  })

  it('completes the entry of a task that still waits for its answer', async () => {
    world.interceptors.platform = async (request, pass) => {
      const answer = await pass()
      if (!isCall('POST', /\/dial$/)(request)) return answer
      await post(await eventOf('connectionCreated', 'last'))
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
    }
    expect(await run(world, 'startDialIn', { showId: 'a-show', sessionId, name: 'desk' })).toMatchObject({
      outcome: 'dialed',
    })
    expect(await entry('desk')).toMatchObject({ status: 'dialed', connectionId: expect.any(String) })
  })
})
