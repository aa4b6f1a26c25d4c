import { jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dialIn } from '../../../../lib/show/dial-ins/dial.ts'
import { dialInOrder } from '../../../../lib/show/document/dial-in.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { openShow } from '../../../lambdas/run.ts'
import { type Interceptor, isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../../support/world.ts'

const document = {
  ...webinar,
  dialIns: [
    {
      name: 'stage',
      uri: 'sip:stage@sip.example.com;transport=tls',
      from: '15551234567@example.com',
      headers: { 'X-Show': 'keynote', 'X-Door': { secret: 'sip#door' } },
      auth: { username: 'stage', password: { secret: 'sip#password' } },
      secure: true,
      video: true,
      observeForceMute: true,
    },
    { name: 'plain', uri: 'sip:plain@sip.example.com' },
  ],
} satisfies ShowDocument

let world: World
let show: Awaited<ReturnType<typeof openShow>>
let sent: Record<string, unknown>[]
const isDial = isCall('POST', /\/dial$/)
/** What the platform does with a dial, whose request is kept. */
let answer: Interceptor
beforeEach(async () => {
  world = openWorld()
  world.keepShowSecret('sip', { door: 'open-sesame', password: 'hush' })
  show = await openShow(world, document)
  sent = []
  answer = (_request, pass) => pass()
  world.interceptors.platform = async (request, pass) => {
    if (!isDial(request)) return pass()
    sent.push((await request.clone().json()) as Record<string, unknown>)
    return answer(request, pass)
  }
})
afterEach(() => world.close())

const dial = (name = 'stage') => dialIn(world.services, { showId: show.showId, sessionId: show.sessionId, name })
const entry = async (name = 'stage') =>
  (await world.services.shows.state('a-show')).dialIns.find((one) => one.name === name)
const happened = async () =>
  (await world.services.shows.state('a-show')).timeline.map(({ what, name }) => [what, name]).slice(2)
const ask = (change: object) => world.services.shows.update('a-show', (state) => ({ ...state, ...change }))
const calls = async () => (await world.platform.send('GET', `/sandbox/sessions/${show.sessionId}/calls`)).body.items

/** A connection that did not come about. */
const unreachable: Interceptor = async () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
}

describe('dialIn', () => {
  it('dials with all options of the show, and the values of its secrets', async () => {
    expect(await dial()).toEqual({ name: 'stage', outcome: 'dialed' })
    expect(sent).toEqual([
      {
        sessionId: show.sessionId,
        token: expect.stringMatching(/^ey/),
        sip: {
          uri: 'sip:stage@sip.example.com;transport=tls',
          from: '15551234567@example.com',
          headers: { 'X-Show': 'keynote', 'X-Door': 'open-sesame' },
          auth: { username: 'stage', password: 'hush' },
          secure: true,
          video: true,
          observeForceMute: true,
        },
      },
    ])
    await dial('plain')
    expect(sent[1]?.sip).toEqual({
      ...{ uri: 'sip:plain@sip.example.com', secure: false, video: false, observeForceMute: false },
    })
  })

  it('notes when it asked and what it got, and no value it referred to', async () => {
    await dial()
    expect(await entry()).toEqual({
      ...{ name: 'stage', askedAt: START_TIME, status: 'dialed' },
      callId: expect.any(String),
      connectionId: expect.any(String),
      streamId: expect.any(String),
    })
    expect(await happened()).toEqual([['dialIn.started', 'stage']])
    expect(JSON.stringify(await world.services.shows.state('a-show'))).not.toMatch(/open-sesame|hush|eyJ/)
  })

  it('writes down that it asks before it does', async () => {
    let known: unknown
    answer = async (_request, pass) => {
      known = (await entry())?.askedAt
      return pass()
    }
    await dial()
    expect(known).toBe(START_TIME)
  })

  it('dials once however often it is repeated', async () => {
    await dial()
    expect(await dial()).toEqual({ name: 'stage', outcome: 'dialed' })
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['is lost', losingAnswers(isDial)],
    ['is a failure of the platform', refusing(isDial, 500)],
    [
      'cannot be understood',
      (async (_request, pass) => {
        await pass()
        return Response.json({ surprise: true })
      }) satisfies Interceptor,
    ],
  ])('leaves a call unknown whose answer %s, and never repeats it', async (_how, given) => {
    answer = given
    expect(await dial()).toEqual({ name: 'stage', outcome: 'unknown' })
    expect(await dial()).toEqual({ name: 'stage', outcome: 'unknown' })
    expect(sent).toHaveLength(1)
    expect(await entry()).toEqual({ name: 'stage', askedAt: START_TIME, status: 'unknown' })
    expect(await happened()).toEqual([['dialIn.unknown', 'stage']])
  })

  it('recognizes its own note when the answer to its write was lost', async () => {
    let losses = 1
    world.interceptors.aws = async (request, pass) => {
      const isNote = request.method === 'PUT' && (await request.clone().text()).includes('askedBy')
      const response = await pass()
      if (!isNote || losses-- <= 0) return response
      return await pass() // the SDK retries, and gets a conflict with its own write
    }
    expect(await dial()).toEqual({ name: 'stage', outcome: 'dialed' })
    expect(sent).toHaveLength(1)
    expect(await entry()).not.toHaveProperty('askedBy')
  })

  it('has the connection carry whose it is', async () => {
    await dial()
    const { payload } = await jwtVerify(String(sent[0]?.token), new TextEncoder().encode(world.platform.apiSecret), {
      currentDate: new Date(world.clock.now()),
    })
    expect(payload.connection_data).toBe('a-show/dial-ins/stage')
  })

  it('does not repeat the request of an interrupted task', async () => {
    await ask({ dialIns: [{ name: 'stage', askedAt: START_TIME }] })
    expect(await dial()).toEqual({ name: 'stage', outcome: 'unknown' })
    expect(sent).toEqual([])
  })

  it.each([
    ['cannot be reached', unreachable, 'PlatformUnavailableError'],
    ['is asked too often', refusing(isDial, 429), 'PlatformThrottledError'],
    ['refuses it', refusing(isDial, 400), 'PlatformRequestError'],
    ['does not take the credentials', refusing(isDial, 403), 'PlatformAuthError'],
  ])('may dial again when the platform %s, because no call was made', async (_what, given, name) => {
    answer = given
    await expect(dial()).rejects.toMatchObject({ name })
    expect(await entry()).toEqual({ name: 'stage' })
    answer = (_request, pass) => pass()
    expect((await dial()).outcome).toBe('dialed')
    expect(await calls()).toHaveLength(1)
  })

  it('dials once when asked twice at the same time', async () => {
    await Promise.all([dial(), dial()])
    expect(sent).toHaveLength(1)
    expect((await entry())?.status).toBe('dialed')
  })

  it('makes no call when a secret is missing', async () => {
    world.interceptors.aws = async (request, pass) =>
      (await request.clone().text()).includes('showrunner/test/shows/sip')
        ? Response.json({ __type: 'ResourceNotFoundException' }, { status: 400 })
        : pass()
    await expect(dial()).rejects.toMatchObject({ name: 'TaskConfigError' })
    expect([sent, await entry()]).toEqual([[], { name: 'stage' }])
  })

  it('makes no call in a stopped show', async () => {
    await ask({ stopAskedAt: START_TIME })
    await expect(dial()).rejects.toMatchObject({ name: 'ShowStoppedError' })
    expect([sent, await entry()]).toEqual([[], { name: 'stage' }])
  })

  it('hangs up when the show was stopped while it dialed', async () => {
    answer = async (_request, pass) => {
      await ask({ stopAskedAt: START_TIME })
      return pass()
    }
    await expect(dial()).rejects.toMatchObject({ name: 'ShowStoppedError' })
    expect(await entry()).toMatchObject({ status: 'ended', connectionId: expect.any(String) })
    expect(await calls()).toMatchObject([{ state: 'HANGUP' }])
  })

  it('dials an order that was added while the show runs', async () => {
    await ask({ dialIns: [{ name: 'more', order: dialInOrder.parse({ name: 'more', uri: 'sip:more@example.com' }) }] })
    expect((await dial('more')).outcome).toBe('dialed')
    expect(sent).toMatchObject([{ sip: { uri: 'sip:more@example.com' } }])
  })

  it('forgets why an earlier attempt failed', async () => {
    await ask({ dialIns: [{ name: 'stage', problem: 'The platform refused.' }] })
    await dial()
    expect(await entry()).not.toHaveProperty('problem')
  })

  it('explains that the session is relayed', async () => {
    const sessionId = await world.platform.createSession({ 'p2p.preference': 'enabled' })
    await expect(dialIn(world.services, { showId: 'a-show', sessionId, name: 'stage' })).rejects.toMatchObject({
      name: 'PlatformConflictError',
      message: expect.stringMatching(/^The session is relayed/),
    })
  })

  it('names a dial-in that the show does not order', async () => {
    await expect(dial('other')).rejects.toMatchObject({ message: 'The show a-show orders no dial-in other.' })
  })
})
