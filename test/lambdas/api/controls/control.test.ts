import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_CONTROLS } from '../../../../lib/api/controls.ts'
import type { ShowStatus } from '../../../../lib/show/state/state.ts'
import { isCall, overProtocol, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, bringWaiting, call, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const signal = { type: 'chat', data: 'Hello' }
const send = (body: unknown = signal, key?: string, sub = 'app') =>
  call(world, 'POST /shows/a-show/signals', { body, sub, ...(key !== undefined && { key }) })
const isSignal = isCall('POST', /\/signal$/)
const signals = () => world.calls.filter((one) => /\/signal$/.test(one))

const routes = [
  ['PATCH /shows/a-show', { duration: 60 }],
  ['POST /shows/a-show/stop', {}],
  ['POST /shows/a-show/signals', signal],
  ['POST /shows/a-show/mute', { active: true }],
  ['POST /shows/a-show/dial-ins', { name: 'phone', uri: 'sip:user@example.com' }],
  ['POST /shows/a-show/broadcasts', { name: 'late', hls: {} }],
] as const

describe('every control', () => {
  it.each(routes)('%s is noted in the show, and answered by what its timeline says', async (route, body) => {
    await bringLive(world)
    const answer = await call(world, route, { body, key: 'key' })
    expect(answer.status).toBe(200)
    const { control, timeline } = answer.body
    const state = await stateOf(world)
    expect(state.controls).toEqual([
      {
        id: control,
        at: world.now(),
        request: expect.stringMatching(/^[0-9a-f]{64}$/),
        callId: expect.any(String),
        by: 'app',
        done: true,
      },
    ])
    expect(timeline).toHaveLength(1)
    expect(timeline[0]).toMatchObject({
      what: expect.stringMatching(/^control\./),
      id: control,
      by: 'app',
      detail: expect.any(String),
    })
    expect(state.timeline).toEqual(expect.arrayContaining(timeline))
  })

  it.each(routes)('%s is done once for one Idempotency-Key, and answered the same', async (route, body) => {
    await bringLive(world)
    const first = await call(world, route, { body, key: 'key' })
    const before = await stateOf(world)
    world.calls.length = 0
    await world.clock.advance(1_000)
    expect(await call(world, route, { body, key: 'key' })).toEqual(first)
    expect(await stateOf(world)).toEqual(before)
    expect(world.calls).toEqual([])
  })

  it.each(routes)('%s answers 404 to an unknown show', async (route, body) => {
    expect(await call(world, route, { body })).toMatchObject({
      status: 404,
      body: { detail: 'There is no show a-show.' },
    })
  })

  it.each(routes)('%s refuses what it does not know', async (route, body) => {
    await bringLive(world)
    const answer = await call(world, route, { body: { ...body, colour: 'red' } })
    expect(answer).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'colour', message: 'is not a field of this body' }] },
    })
    expect(await call(world, route, { body, query: { colour: 'red' } })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'colour', message: 'is not a field of this query' }] },
    })
    expect((await stateOf(world)).controls).toEqual([])
  })

  it.each(routes.filter(([route]) => !route.endsWith('/stop')))(
    '%s refuses a show that is over',
    async (route, body) => {
      await bringLive(world)
      const set = (status: ShowStatus, more = {}) =>
        world.services.records.updateState('a-show', (state) => ({ ...state, status, ...more }))
      await set('live', { stopAskedAt: world.now() })
      expect(await call(world, route, { body })).toMatchObject({
        status: 409,
        body: { detail: expect.stringMatching(/^The show a-show is stopping\. /) },
      })
      await set('ending', { endedAt: world.now() })
      expect((await call(world, route, { body })).body.detail).toMatch(/^The show a-show is ending\. /)
      await set('succeeded')
      expect((await call(world, route, { body })).body.detail).toMatch(/^The show a-show is over\. /)
      expect((await stateOf(world)).controls).toEqual([])
    },
  )

  it.each(['PATCH /shows/a-show', 'POST /shows/a-show/broadcasts'])('%s refuses a show that waits', async (route) => {
    await bringWaiting(world)
    const body = routes.find(([one]) => one === route)?.[1]
    expect(await call(world, route, { body })).toMatchObject({
      status: 409,
      body: { detail: 'The show a-show is waiting for its audience. The request needs a show that is live.' },
    })
  })
})

describe('control', () => {
  it('refuses a key that was used for another body or another control', async () => {
    await bringLive(world)
    await send(signal, 'key')
    const taken = {
      status: 409,
      body: { detail: 'The Idempotency-Key was used for another control. Use a new key.' },
    }
    expect(await send({ ...signal, data: 'Bye' }, 'key')).toMatchObject(taken)
    expect(await call(world, 'POST /shows/a-show/mute', { body: { active: true }, key: 'key' })).toMatchObject(taken)
    expect(signals()).toHaveLength(1)
  })

  it('takes the same body written differently for the same', async () => {
    await bringLive(world)
    const first = await send({ type: 'chat', data: 'Hello' }, 'key')
    expect(await send({ data: 'Hello', type: 'chat' }, 'key')).toEqual(first)
  })

  it('keeps the keys of different callers apart', async () => {
    await bringLive(world)
    await send(signal, 'key', 'one')
    await send({ ...signal, data: 'Bye' }, 'key', 'two')
    expect(signals()).toHaveLength(2)
  })

  it('takes each request without a key for another one', async () => {
    await bringLive(world)
    await send()
    await send()
    expect(signals()).toHaveLength(2)
    expect((await stateOf(world)).timeline.filter(({ what }) => what === 'control.signal')).toHaveLength(2)
  })

  it('sends a signal once when it is asked for twice at the same time', async () => {
    await bringLive(world)
    world.interceptors.aws = overProtocol // both requests read the state before either writes it
    const answers = await Promise.all([send(signal, 'key'), send(signal, 'key')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(signals()).toHaveLength(1)
  })

  it('knows its own note again when the answer to the write was lost, and tried again', async () => {
    await bringLive(world)
    let writes = 0
    world.interceptors.aws = async (request, pass) => {
      const response = await pass()
      // What S3 answers to the SDK's second attempt at a conditional write that was done at the first.
      return isCall('PUT', /state\.json$/)(request) && ++writes === 1 ? new Response(null, { status: 412 }) : response
    }
    expect((await send(signal, 'key')).status).toBe(200)
    expect(signals()).toHaveLength(1)
  })

  it('carries out an interrupted control again, once its function has ended', async () => {
    await bringLive(world)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await send(signal, 'key')
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      controls: state.controls.map((one) => ({ ...one, done: false })),
      timeline: [],
    }))
    expect(await send(signal, 'key')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('is in progress') },
    })
    await world.clock.advance(30_000)
    expect((await send(signal, 'key')).status).toBe(200)
    expect(signals()).toHaveLength(2)
  })

  it.each([
    [400, 409, 'The platform refuses it (400: As arranged).'],
    [403, 502, 'The platform fails (403: As arranged): try again later.'],
    [404, 409, 'The platform refuses it (404: As arranged).'],
    [429, 502, 'The platform fails (429: As arranged): try again later.'],
    [500, 502, 'The platform fails (500: As arranged): try again later.'],
  ])('answers a %i of the platform as %i, records nothing, and may be repeated', async (status, answered, detail) => {
    await bringLive(world)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.platform = refusing(isSignal, status)
    expect(await send(signal, 'key')).toMatchObject({ status: answered, body: { detail } })
    expect(await stateOf(world)).toMatchObject({ controls: [], timeline: [] })
    world.interceptors.platform = (_request, pass) => pass()
    expect((await send(signal, 'key')).status).toBe(200)
  })

  it('logs that its note stays behind, without the secrets that an error shows', async () => {
    await bringLive(world)
    const { apiSecret } = world.platform
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    world.interceptors.platform = async () => {
      world.interceptors.aws = async () => {
        throw new Error(`The bucket shows ${apiSecret}.`)
      }
      return Response.json({ code: 400, message: 'As arranged' }, { status: 400 })
    }
    expect(await send()).toMatchObject({ status: 409, body: { detail: 'The platform refuses it (400: As arranged).' } })
    const lines = log.mock.calls.map(([line]) => String(line))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'ERROR', task: 'api', message: 'control not forgotten', showId: 'a-show', error: expect.any(Object) },
      { message: 'refused', status: 409 },
    ])
    expect(lines.join()).toContain('The bucket shows [secret].')
    expect(lines.join()).not.toContain(apiSecret)
  })

  it('answers 504 when the platform does not answer', async () => {
    await bringLive(world)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.platform = async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
    }
    expect(await send()).toMatchObject({
      status: 504,
      body: { title: 'Platform unreachable', detail: 'The platform does not answer: try again later.' },
    })
  })

  it('takes no more than a thousand, but for a stop', async () => {
    await bringLive(world)
    const one = { at: world.now(), request: '', callId: '', done: true }
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      controls: Array.from({ length: MAX_CONTROLS }, (_, index) => ({ id: `${index}`, ...one })),
    }))
    expect(await send()).toMatchObject({
      status: 409,
      body: { detail: 'The show a-show has reached its limit of 1000 controls.' },
    })
    expect((await call(world, 'POST /shows/a-show/stop')).status).toBe(200)
  })

  it('refuses a body that is too long', async () => {
    await bringLive(world)
    expect(await send({ ...signal, data: 'x'.repeat(70_000) })).toMatchObject({
      status: 413,
      body: { title: 'Body too large' },
    })
  })

  it('refuses a show that is scheduled', async () => {
    const { body } = await call(world, 'POST /shows', { body: { ...webinar, start: { at: '2026-11-20T19:00' } } })
    const answer = await call(world, `POST /shows/${body.showId}/signals`, { body: signal })
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('has not started') } })
  })
})
