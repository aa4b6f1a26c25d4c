import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'
import { call } from './call.ts'

let world: World
beforeEach(() => {
  world = openWorld({ MAX_PUBLISHES: '1' })
})
afterEach(() => world.close())

/** Uploads an archive of some bytes, and asks for a turn to publish it. */
async function arrive(archiveId: string, bytes: number) {
  const key = keys.archive('1', archiveId)
  await world.services.storage.put(key, new Uint8Array(bytes), 'video/mp4')
  await world.services.publishExecutions.start(archiveId, {})
  return run(world, 'takeTurn', { key, executionName: archiveId, stage: 'ready' })
}

describe('GET /publishing', () => {
  it('lists nothing while nothing waits', async () => {
    expect((await call(world, 'GET /publishing')).body).toEqual({ items: [] })
  })

  it('lists what waits in the order in which it is published', async () => {
    world.machines.publish = () => new Promise(() => {})
    for (const [archiveId, bytes] of Object.entries({ first: 5, long: 9, short: 2 })) await arrive(archiveId, bytes)
    const since = world.now()
    expect((await call(world, 'GET /publishing')).body).toEqual({
      items: [
        { place: 1, archiveId: 'short', stage: 'ready', size: 2, since },
        { place: 2, archiveId: 'long', stage: 'ready', size: 9, since },
      ],
    })
  })
})
