import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, bringWaiting, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const list = (headers: Record<string, string> = {}) => call(world, 'GET /shows/a-show/streams', { headers })

describe('GET /shows/{id}/streams', () => {
  it('lists what is published in the session now, in the order of publishing', async () => {
    const { sessionId, guest } = await bringLive(world)
    const screen = await world.platform.join(sessionId, { name: 'Slides', videoType: 'screen' })
    const items = [{ id: guest.streamId, layoutClassList: ['focus'] }]
    await world.platform.call('setStreamLayoutClasses', { sessionId, items })
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.items).toEqual([
      { streamId: guest.streamId, name: expect.any(String), videoType: 'camera', layoutClasses: ['focus'] },
      { streamId: screen.streamId, name: 'Slides', videoType: 'screen', layoutClasses: [] },
    ])
    expect(world.calls).toEqual([`GET /session/${sessionId}/stream`])
    await screen.leave()
    expect((await list()).body.items).toHaveLength(1)
  })

  it('names the scene or the dial-in that publishes a stream', async () => {
    const { sessionId, guest } = await bringLive(world)
    const page = await world.platform.join(sessionId, { publish: true })
    const { connectionId, streamId } = guest
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      dialIns: [{ name: 'stage', status: 'dialed', connectionId, ...(streamId && { streamId }) }],
      scenes: [{ name: 'slides', ...(page.streamId && { streamId: page.streamId }) }],
    }))
    const [call, scene] = (await list()).body.items
    expect(call).toMatchObject({ streamId, dialIn: 'stage', connectionId })
    expect(scene).toMatchObject({ streamId: page.streamId, scene: 'slides' })
    expect(scene).not.toHaveProperty('connectionId')
  })

  it('is empty while nothing is published', async () => {
    const { sessionId } = await bringWaiting(world)
    expect(await list()).toMatchObject({ status: 200, body: { items: [] } })
    await world.platform.join(sessionId, { publish: false })
    expect(await list()).toMatchObject({ status: 200, body: { items: [] } })
  })

  it('answers 304 until something changes', async () => {
    const { sessionId } = await bringLive(world)
    const { etag = '' } = (await list()).headers
    expect((await list({ 'if-none-match': etag })).status).toBe(304)
    await world.platform.join(sessionId, { publish: true })
    expect((await list({ 'if-none-match': etag })).status).toBe(200)
  })

  it('refuses a show without a session, and an unknown show', async () => {
    await world.accept()
    expect(await list()).toMatchObject({
      status: 409,
      body: { detail: 'The show a-show has no session yet. Repeat the request once it has started.' },
    })
    await world.services.records.updateState('a-show', (state) => ({ ...state, status: 'failed' }))
    expect((await list()).body.detail).toBe('The show a-show is over, and it had no session.')
    expect((await call(world, 'GET /shows/none/streams')).status).toBe(404)
    expect(world.calls).toEqual([])
  })

  it('reports a platform that fails', async () => {
    await bringLive(world)
    world.interceptors.platform = async () => Response.json({ code: 403, message: 'Forbidden' }, { status: 403 })
    expect(await list()).toMatchObject({ status: 502 })
  })
})
