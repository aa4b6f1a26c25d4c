import { describe, expect, it } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { openSandbox, START } from '../open-sandbox.ts'

describe('createClockRoutes', () => {
  const advance = ({ send }: ReturnType<typeof openSandbox>, body: unknown) =>
    send('POST', '/sandbox/clock', { body: JSON.stringify(body) })

  it('tells the time and moves it on', async () => {
    const world = openSandbox()
    expect(await world.send('GET', '/sandbox/clock')).toEqual({ status: 200, body: { now: START } })
    expect(await advance(world, { advanceSeconds: 1.5 })).toEqual({ status: 200, body: { now: START + 1_500 } })
    expect(await advance(world, { advanceSeconds: 0 })).toEqual({ status: 200, body: { now: START + 1_500 } })
  })

  it('answers once all has happened that falls due on the way', async () => {
    const world = openSandbox()
    const { call } = world
    const sessionId = await world.createSession()
    const guest = await world.join(sessionId)
    const archiveId = (await call('startArchive', { sessionId })).body.id
    const status = async () => (await call('getArchive', { archiveId })).body.status
    await guest.leave()
    await advance(world, { advanceSeconds: 59.999 })
    expect(await status()).toBe('paused')
    await advance(world, { advanceSeconds: 0.001 })
    expect(await status()).toBe('available')
    await advance(world, { advanceSeconds: 72 * 3_600 })
    expect(await status()).toBe('expired')
  })

  it('makes one move after the other', async () => {
    const world = openSandbox()
    const answers = await Promise.all([2, 2, 2].map((advanceSeconds) => advance(world, { advanceSeconds })))
    expect(answers.map(({ body }) => body.now - START).toSorted()).toEqual([2_000, 4_000, 6_000]) // in whichever order they came
  })

  it.each([{}, { advanceSeconds: -1 }, { advanceSeconds: '1' }, { advanceSeconds: 1e9 }, { seconds: 1 }])(
    'refuses %j',
    async (body) => {
      expect(await advance(openSandbox(), body)).toMatchObject({ status: 400, body: { code: 400 } })
    },
  )

  it('moves no real clock', async () => {
    const world = openSandbox({ clock: realClock })
    expect(await advance(world, { advanceSeconds: 1 })).toEqual({
      status: 409,
      body: { code: 409, message: 'The clock is real: start the sandbox with --clock stepped.' },
    })
    const before = Date.now()
    const { now } = (await world.send('GET', '/sandbox/clock')).body
    expect(now).toBeGreaterThanOrEqual(before)
    await world.sandbox.close()
  })
})
