import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../lib/show/state/keys.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'
import { call } from './call.ts'
import { archiveId, manifest } from './recordings/recording.ts'

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
        { place: 1, archiveId: 'short', stage: 'ready', size: 2, since, bytesAhead: 0 },
        { place: 2, archiveId: 'long', stage: 'ready', size: 9, since, bytesAhead: 2 },
      ],
    })
  })
})

describe('a recording that waits to be published', () => {
  const since = () => world.now()
  beforeEach(async () => {
    world.machines.publish = () => new Promise(() => {})
    for (const [id, bytes] of Object.entries({ first: 5, short: 2, [archiveId]: 9 })) await arrive(id, bytes)
  })
  const place = () => ({ place: 2, stage: 'ready', size: 9, since: since(), bytesAhead: 2 })

  it('has its place, also in the list of recordings', async () => {
    await world.services.records.writeManifest({ ...manifest, status: 'ready' }, async () => true)
    expect((await call(world, `GET /recordings/${archiveId}`)).body.publishing).toEqual(place())
    expect((await call(world, 'GET /recordings')).body.items[0].publishing).toEqual(place())
  })

  it('has another version once its place changes', async () => {
    await world.services.records.writeManifest({ ...manifest, status: 'ready' }, async () => true)
    const { etag = '' } = (await call(world, `GET /recordings/${archiveId}`)).headers
    await arrive('shortest', 1)
    const { status } = await call(world, `GET /recordings/${archiveId}`, { headers: { 'if-none-match': etag } })
    expect(status).toBe(200)
  })

  it('has its place in the show, once its file has arrived', async () => {
    await world.accept()
    const part = (key?: string) => ({ name: 'program', part: 1, tag: 'a', archiveId, ...(key && { key }) })
    const read = async (key?: string) => {
      await world.services.records.updateState('a-show', (state) => ({ ...state, recordings: [part(key)] }))
      return (await call(world, 'GET /shows/a-show')).body.recordings
    }
    expect(await read()).toEqual([part()])
    const key = keys.archive('1', archiveId)
    expect(await read(key)).toEqual([{ ...part(key), publishing: place() }])
  })
})
