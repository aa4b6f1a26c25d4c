import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const disconnect = (connectionId: string, key?: string) =>
  call(world, 'POST /shows/a-show/disconnect', { body: { connectionId }, ...(key && { key }) })

describe('POST /shows/{id}/disconnect', () => {
  it('makes a participant leave, and says so of one that has left', async () => {
    const { sessionId, guest } = await bringLive(world)
    const { connectionId } = guest
    expect(await disconnect(connectionId)).toMatchObject({
      ...{ status: 200 },
      body: { timeline: [{ what: 'control.disconnect', detail: `The connection ${connectionId} was closed.` }] },
    })
    expect(world.calls).toEqual([`DELETE /session/${sessionId}/connection/${connectionId}`])
    expect(await disconnect(connectionId)).toMatchObject({
      ...{ status: 200 },
      body: { timeline: [{ detail: `The connection ${connectionId} had left already.` }] },
    })
  })

  it('ends a dial-in, which the state then says', async () => {
    const { guest } = await bringLive(world, {
      ...webinar,
      dialIns: [{ name: 'stage', uri: 'sip:answer@example.com' }],
    })
    const { connectionId } = guest
    const dialed = { name: 'stage', status: 'dialed', connectionId } as const
    await world.services.records.updateState('a-show', (state) => ({ ...state, dialIns: [dialed] }))
    const dialIns = async () => (await world.services.shows.state('a-show')).dialIns
    expect((await disconnect(connectionId)).status).toBe(200)
    expect(await dialIns()).toMatchObject([{ name: 'stage', status: 'ended' }])
    const { timeline } = await world.services.shows.state('a-show')
    expect(timeline.at(-1)).toMatchObject({ what: 'dialIn.ended', name: 'stage' })
  })
})
