import { jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, bringWaiting, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const ask = (body: unknown) => call(world, 'POST /shows/a-show/tokens', { body })

async function claimsOf(token: string) {
  const key = new TextEncoder().encode(world.platform.apiSecret)
  return (await jwtVerify(token, key, { currentDate: new Date(world.clock.now()) })).payload
}

describe('POST /shows/{id}/tokens', () => {
  it('gives what one participant connects with', async () => {
    const { sessionId } = await bringWaiting(world)
    const { status, body } = await ask({ role: 'moderator', data: 'Ada', expiresIn: 60 })
    expect(status).toBe(200)
    expect(body).toEqual({ apiKey: world.platform.apiKey, sessionId, token: expect.any(String) })
    const { iat = 0, exp, ...claims } = await claimsOf(body.token)
    expect(claims).toMatchObject({ session_id: sessionId, role: 'moderator', connection_data: 'Ada' })
    expect(exp).toBe(iat + 60)
  })

  it('gives the streams of its bearer layout classes', async () => {
    await bringLive(world)
    const { body } = await ask({ role: 'publisher', layoutClasses: ['focus', 'wide'] })
    expect(await claimsOf(body.token)).toMatchObject({ initial_layout_class_list: 'focus wide' })
    expect(await ask({ role: 'publisher', layoutClasses: ['two words'] })).toMatchObject({
      body: { problems: [{ path: 'layoutClasses[0]' }] },
    })
  })

  it('is valid for an hour and has no data by default', async () => {
    await bringLive(world)
    const { iat = 0, exp, ...claims } = await claimsOf((await ask({ role: 'publisher' })).body.token)
    expect(exp).toBe(iat + 3_600)
    expect(claims).not.toHaveProperty('connection_data')
  })

  it('refuses before there is a session, and after the show is over', async () => {
    await world.accept()
    expect(await ask({ role: 'publisher' })).toMatchObject({
      status: 409,
      headers: { 'retry-after': '2' },
      body: {
        code: 'show-not-open',
        detail: 'The show a-show has no session yet. Repeat the request once it has started.',
      },
    })
    const { records } = world.services
    await records.updateState('a-show', (state) => ({ ...state, sessionId: 's', endedAt: world.now() }))
    expect(await ask({ role: 'publisher' })).toMatchObject({
      status: 409,
      body: { code: 'wrong-show-state', detail: 'The show a-show is over, so it issues no tokens.' },
    })
  })

  it('refuses a show that failed before its end was noted', async () => {
    await bringLive(world)
    await world.services.records.updateState('a-show', (state) => ({ ...state, status: 'failed' }))
    expect((await ask({ role: 'publisher' })).status).toBe(409)
  })

  it('lets no participant pass for the call of a dial-in', async () => {
    await bringLive(world)
    const { status, body } = await ask({ role: 'publisher', data: 'a-show/dial-ins/stage' })
    expect([status, body.problems]).toEqual([400, [{ path: 'data', message: expect.stringContaining('dial-ins') }]])
    expect((await ask({ role: 'publisher', data: 'about a-show/dial-ins/stage' })).status).toBe(200)
  })

  it('refuses an invalid order and an unknown show', async () => {
    await bringLive(world)
    expect(await ask({ role: 'boss', expiresIn: 0 })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'role' }, { path: 'expiresIn' }] },
    })
    expect((await call(world, 'POST /shows/none/tokens', { body: { role: 'publisher' } })).status).toBe(404)
  })
})
