import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const setClasses = (streams: unknown) => call(world, 'POST /shows/a-show/layout-classes', { body: { streams } })

describe('POST /shows/{id}/layout-classes', () => {
  it('replaces the layout classes of a stream, and takes them away', async () => {
    const { sessionId, guest } = await bringLive(world)
    const { streamId } = guest
    const classes = async () => (await world.platform.call('getStream', { sessionId, streamId })).body.layoutClassList
    const { status, body } = await setClasses([{ streamId, layoutClasses: ['focus', 'wide'] }])
    expect([status, await classes()]).toEqual([200, ['focus', 'wide']])
    expect(body.timeline).toMatchObject([
      { what: 'control.layoutClasses', detail: `The stream ${streamId} has focus, wide.` },
    ])
    await setClasses([{ streamId, layoutClasses: [] }])
    expect(await classes()).toEqual([])
  })

  it('reports a stream that is not there', async () => {
    await bringLive(world)
    const streamId = '8b732909-0a06-46a2-8ea8-074e64d43422'
    expect((await setClasses([{ streamId, layoutClasses: ['focus'] }])).status).toBeGreaterThanOrEqual(400)
  })

  it.each([
    ['no stream', [], 'streams'],
    ['a class with a space', [{ streamId: 'a', layoutClasses: ['big one'] }], 'streams[0].layoutClasses[0]'],
  ])('refuses %s', async (_what, streams, path) => {
    await bringLive(world)
    expect(await setClasses(streams)).toMatchObject({ status: 400, body: { problems: [{ path }] } })
  })
})
