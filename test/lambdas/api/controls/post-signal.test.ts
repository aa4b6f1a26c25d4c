import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, bringWaiting, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const send = (body: unknown) => call(world, 'POST /shows/a-show/signals', { body })

describe('POST /shows/{id}/signals', () => {
  it('sends a signal to all participants', async () => {
    const { sessionId } = await bringLive(world)
    const { status, body } = await send({ type: 'chat', data: 'Hello' })
    expect(status).toBe(200)
    expect(body.timeline).toMatchObject([{ detail: 'A signal of type chat was sent to all participants.' }])
    expect(world.calls).toContain(`POST /session/${sessionId}/signal`)
  })

  it('sends one to one connection', async () => {
    const { sessionId, guest } = await bringLive(world)
    const { connectionId } = guest
    expect((await send({ type: 'chat', data: 'Hello', connectionId })).status).toBe(200)
    expect(world.calls).toContain(`POST /session/${sessionId}/connection/${connectionId}/signal`)
  })

  it('reaches those who wait', async () => {
    const { sessionId } = await bringWaiting(world)
    await world.platform.join(sessionId)
    expect((await send({ type: 'chat', data: 'Soon' })).status).toBe(200)
  })

  it('says that a connection is not there', async () => {
    await bringLive(world)
    expect(await send({ type: 'chat', data: 'Hello', connectionId: 'nobody' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('The platform refuses it (404') },
    })
  })

  it.each([
    ['no data', { type: 'chat' }, 'data', 'is missing'],
    ['an empty type', { type: '', data: 'x' }, 'type', 'must not be empty'],
    ['too long a type', { type: 'ü'.repeat(65), data: 'x' }, 'type', 'must have at most 128 bytes'],
  ])('refuses %s', async (_what, body, path, message) => {
    await bringLive(world)
    expect(await send(body)).toMatchObject({ status: 400, body: { problems: [{ path, message }] } })
  })
})
