import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, refusing, START_TIME, type World } from '../support/world.ts'
import { run } from './run.ts'

let world: World
beforeEach(async () => {
  world = openWorld()
  await world.accept()
})
afterEach(() => world.close())

const open = (session = {}) => run(world, 'openSession', { showId: 'a-show', session })
const state = () => world.services.records.readState('a-show')

describe('openSession', () => {
  it('creates a routed session and notes it', async () => {
    const { sessionId } = await open({ location: '10.1.2.3' })
    expect(await state()).toMatchObject({ sessionId, timeline: [{ at: START_TIME, what: 'session.opened' }] })
    await world.platform.join(sessionId)
    expect((await world.platform.call('startArchive', { sessionId })).status).toBe(200) // a relayed one answers 409
  })

  it('opens one session however often it is repeated', async () => {
    const first = await open()
    world.calls.length = 0
    expect(await open()).toEqual(first)
    expect(world.calls).toEqual([])
    expect((await state())?.timeline).toHaveLength(1)
  })

  it('adopts the session the show names without asking the platform', async () => {
    expect(await open({ id: 'theirs' })).toEqual({ sessionId: 'theirs' })
    expect(world.calls).toEqual([])
    expect(await state()).toMatchObject({ sessionId: 'theirs' })
  })

  it('leaves a failure of the platform to the retries', async () => {
    world.interceptors.platform = refusing(() => true, 503)
    await expect(open()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect((await state())?.sessionId).toBeUndefined()
  })
})
