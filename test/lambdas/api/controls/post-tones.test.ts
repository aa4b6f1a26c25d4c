import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, call } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const play = (body: object, key?: string) => call(world, 'POST /shows/a-show/tones', { body, ...(key && { key }) })

describe('POST /shows/{id}/tones', () => {
  it('plays tones to one connection, and to every client by default', async () => {
    const { sessionId, guest } = await bringLive(world)
    const { connectionId } = guest
    const { status, body } = await play({ digits: '12p#', connectionId })
    expect([status, body.timeline]).toMatchObject([200, [{ detail: `Tones were played to ${connectionId}.` }]])
    expect((await play({ digits: '*' })).body.timeline).toMatchObject([
      { detail: 'Tones were played to every client.' },
    ])
    expect(world.calls).toEqual([
      `POST /session/${sessionId}/connection/${connectionId}/play-dtmf`,
      `POST /session/${sessionId}/play-dtmf`,
    ])
  })

  it('reports a lost answer, and does not repeat the tones under the same key', async () => {
    await bringLive(world)
    world.interceptors.platform = losingAnswers(isCall('POST', /play-dtmf$/))
    const answers = [await play({ digits: '1' }, 'once'), await play({ digits: '1' }, 'once')]
    for (const { status, body } of answers)
      expect([status, body.timeline]).toMatchObject([200, [{ detail: expect.stringContaining('is unknown') }]])
    expect(world.calls.filter((one) => one.endsWith('/play-dtmf'))).toHaveLength(1)
  })

  it('refuses what no telephone can play', async () => {
    await bringLive(world)
    expect(await play({ digits: '12a' })).toMatchObject({ status: 400, body: { problems: [{ path: 'digits' }] } })
  })
})
