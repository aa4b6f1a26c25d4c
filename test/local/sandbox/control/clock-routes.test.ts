import { describe, expect, it } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { openSandbox, START } from '../open-sandbox.ts'

describe('createClockRoutes', () => {
  const advance = ({ send }: ReturnType<typeof openSandbox>, body: unknown) =>
    send('POST', '/sandbox/clock', { body: JSON.stringify(body) })

  it('returns the time and advances it', async () => {
    const world = openSandbox()
    expect(await world.send('GET', '/sandbox/clock')).toEqual({ status: 200, body: { now: START } })
    expect(await advance(world, { advanceSeconds: 1.5 })).toEqual({ status: 200, body: { now: START + 1_500 } })
    expect(await advance(world, { advanceSeconds: 0 })).toEqual({ status: 200, body: { now: START + 1_500 } })
  })

  it('answers once everything due in the interval has run', async () => {
    const world = openSandbox()
    const { call } = world
    const sessionId = await world.createSession()
    const participant = await world.join(sessionId)
    const archiveId = (await call('startArchive', { sessionId })).body.id
    const status = async () => (await call('getArchive', { archiveId })).body.status
    await participant.leave()
    await advance(world, { advanceSeconds: 59.999 })
    expect(await status()).toBe('paused')
    await advance(world, { advanceSeconds: 0.001 })
    expect(await status()).toBe('available')
    await advance(world, { advanceSeconds: 72 * 3_600 })
    expect(await status()).toBe('expired')
  })

  it('advances one request after the other', async () => {
    const world = openSandbox()
    const answers = await Promise.all([2, 2, 2].map((advanceSeconds) => advance(world, { advanceSeconds })))
    expect(answers.map(({ body }) => body.now - START).toSorted()).toEqual([2_000, 4_000, 6_000]) // in any order
  })

  it.each([{}, { advanceSeconds: -1 }, { advanceSeconds: '1' }, { advanceSeconds: 1e9 }, { seconds: 1 }])(
    'refuses %j',
    async (body) => {
      expect(await advance(openSandbox(), body)).toMatchObject({ status: 400, body: { code: 400 } })
    },
  )

  it('refuses to advance a real clock', async () => {
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
