import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const mute = (body: unknown) => call(world, 'POST /shows/a-show/mute', { body })

describe('POST /shows/{id}/mute', () => {
  it('mutes one stream', async () => {
    const { sessionId, guest } = await bringLive(world)
    const { status, body } = await mute({ streamId: guest.streamId })
    expect(status).toBe(200)
    expect(body.timeline).toMatchObject([{ detail: `The stream ${guest.streamId} was muted.` }])
    expect(world.calls).toEqual([`POST /session/${sessionId}/stream/${guest.streamId}/mute`])
  })

  it.each([
    [{ active: true }, 'Every stream was muted, and new ones will be.'],
    [{ active: true, excludedStreamIds: ['a', 'b'] }, 'Every stream except 2 was muted, and new ones will be.'],
    [{ active: false }, 'New streams are no longer muted.'],
  ])('mutes the session as %j says', async (body, detail) => {
    const { sessionId } = await bringLive(world)
    expect(await mute(body)).toMatchObject({ status: 200, body: { timeline: [{ detail }] } })
    expect(world.calls).toEqual([`POST /session/${sessionId}/mute`])
  })

  it('says that a stream is not there', async () => {
    await bringLive(world)
    expect((await mute({ streamId: '8b732909-0a06-46a2-8ea8-074e64d43422' })).status).toBe(409)
  })

  it.each([
    ['nothing', {}, '', 'needs either streamId or active'],
    ['both', { streamId: 'a', active: true }, '', 'needs either streamId or active'],
    [
      'exclusions of nothing',
      { active: false, excludedStreamIds: ['a'] },
      'excludedStreamIds',
      'is only allowed with active true',
    ],
  ])('refuses %s', async (_what, body, path, message) => {
    await bringLive(world)
    expect(await mute(body)).toMatchObject({ status: 400, body: { problems: [{ path, message }] } })
  })
})
