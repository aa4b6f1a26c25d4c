import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { openShow, run } from '../run.ts'

let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world, { ...webinar, dialIns: [{ name: 'stage', uri: 'sip:stage@sip.example.com' }] })
})
afterEach(() => world.close())

const isDial = isCall('POST', /\/dial$/)
const start = () => run(world, 'startDialIn', { showId: 'a-show', sessionId: show.sessionId, name: 'stage' })

describe('startDialIn', () => {
  it('dials, and lets nothing out but the outcome', async () => {
    expect(await start()).toEqual({ name: 'stage', outcome: 'dialed' })
    expect(await world.services.shows.state('a-show')).toMatchObject({
      dialIns: [{ name: 'stage', status: 'dialed', streamId: expect.any(String) }],
    })
  })

  it('leaves a call unknown whose answer was lost, and does not repeat it when the task is repeated', async () => {
    world.interceptors.platform = losingAnswers(isDial)
    expect(await start()).toEqual({ name: 'stage', outcome: 'unknown' })
    expect(await start()).toEqual({ name: 'stage', outcome: 'unknown' })
    expect(world.calls.filter((call) => call === 'POST /dial')).toHaveLength(1)
  })

  it('fails when the platform refuses', async () => {
    world.interceptors.platform = refusing(isDial, 400)
    await expect(start()).rejects.toMatchObject({ name: 'PlatformRequestError' })
  })
})
