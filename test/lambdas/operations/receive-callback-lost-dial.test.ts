import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DialInState } from '../../../lib/show/state/resources.ts'
import { isCall, losingAnswers } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { openShow, run } from '../run.ts'
import { postCallback, registerCallbacks } from './platform-callbacks.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const post = (body: unknown) => postCallback(world, body)

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
    await registerCallbacks(world)
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
