import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers, openWorld, refusing, START_TIME, type World } from '../support/world.ts'
import { openShow, run } from './run.ts'

let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world)
})
afterEach(() => world.close())

const check = (audienceWait = 900) => {
  const { showId, sessionId } = show
  const [firstRecording] = show.show.recordings as [(typeof show.show.recordings)[number]]
  return run(world, 'checkAudience', { showId, sessionId, firstRecording, startedAt: START_TIME, audienceWait })
}
const archives = async () => (await world.platform.call('listArchives', { sessionId: show.sessionId })).body.items
const state = () => world.services.records.readState('a-show')

describe('checkAudience', () => {
  it('takes a published stream for an audience, and starts nothing then', async () => {
    await world.platform.join(show.sessionId)
    expect(await check()).toEqual({ audience: 'present', waitSeconds: 0 })
    expect(await archives()).toEqual([])
    expect((await state())?.timeline.at(-1)).toEqual({ at: START_TIME, what: 'audience.present' })
  })

  it('finds listeners without a stream by starting the first recording, which is adopted later', async () => {
    await world.platform.join(show.sessionId, { publish: false })
    expect((await check()).audience).toBe('present')
    expect(await archives()).toMatchObject([{ multiArchiveTag: 'a-show/program/1', resolution: '1280x720' }])
    expect((await check()).audience).toBe('present')
    expect(await archives()).toHaveLength(1)
  })

  it('starts the first recording once, also when the answer is lost', async () => {
    await world.platform.join(show.sessionId, { publish: false })
    world.interceptors.platform = losingAnswers(isCall('POST', /\/archive$/))
    expect((await check()).audience).toBe('present')
    expect(await archives()).toHaveLength(1)
  })

  it('says when to look again while nobody is there, and that the show is waiting', async () => {
    expect(await check()).toEqual({ audience: 'absent', waitSeconds: 2 })
    expect((await state())?.status).toBe('waiting')
    await world.clock.advance(600_000)
    expect(await check()).toEqual({ audience: 'absent', waitSeconds: 15 })
    await world.clock.advance(295_000)
    expect(await check()).toEqual({ audience: 'absent', waitSeconds: 5 }) // exactly until the limit
  })

  it('gives up at the limit', async () => {
    await world.clock.advance(900_000)
    expect(await check()).toEqual({ audience: 'never came', waitSeconds: 0 })
  })

  it('still finds somebody who comes at the last moment', async () => {
    await world.clock.advance(900_000)
    await world.platform.join(show.sessionId)
    expect((await check()).audience).toBe('present')
  })

  it('looks a few hundred times in a day, so that no history nears its quota', async () => {
    let looks = 0
    for (let waited = 0; ; looks++) {
      const { audience, waitSeconds } = await check(86_400)
      if (audience === 'never came') break
      expect(waitSeconds).toBeLessThanOrEqual(Math.max(2, waited / 40))
      await world.clock.advance(waitSeconds * 1000)
      waited += waitSeconds
    }
    expect(looks).toBeGreaterThan(250)
    expect(looks).toBeLessThan(350) // nine events each
  })

  it.each([
    [503, 'PlatformUnavailableError'],
    [409, 'PlatformConflictError'],
    [400, 'PlatformRequestError'],
  ])('takes no answer %i for an empty session', async (status, name) => {
    world.interceptors.platform = refusing(isCall('POST', /\/archive$/), status)
    await expect(check()).rejects.toMatchObject({ name })
  })
})
