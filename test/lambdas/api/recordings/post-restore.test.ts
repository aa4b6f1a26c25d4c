import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { call } from '../call.ts'
import { manifest, posterOf } from './recording.ts'

const DAY = 86_400_000
const PURGED = '2026-11-27T09:00:00.000Z'
let world: World
beforeEach(() => {
  world = openWorld()
  world.keepVersions()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const remove = (archiveId: string, query = {}) => call(world, `DELETE /recordings/${archiveId}`, { query, sub: 'ann' })
const restore = (archiveId: string) => call(world, `POST /recordings/${archiveId}/restore`)
const read = async (archiveId: string) => call(world, `GET /recordings/${archiveId}`)
const listed = async (deleted?: string) =>
  (await call(world, 'GET /recordings', { query: deleted === undefined ? {} : { deleted } })).body.items
const sweep = () => run(world, 'sweepShows', {})
const everything = async () => (await world.services.storage.list('', { limit: 100 })).keys
const open = async (url: string) => (await world.openLink(url)).status

/** A recording that was published, with its poster; the platform never heard of it. */
async function publish(id: string, changes: Partial<Manifest> = {}) {
  const key = keys.archive(world.platform.apiKey, id)
  await world.services.storage.put(key, 'movie', 'video/mp4')
  await world.services.storage.put(posterOf(id), 'poster', 'image/jpeg')
  const files = [{ role: 'poster' as const, key: posterOf(id), size: 6, sha256: null }]
  const document = { ...manifest, archiveId: id, source: { key, size: 5, sha256: null }, files, ...changes }
  await world.services.records.writeManifest(document, async () => true)
}

describe('DELETE /recordings/{archiveId}', () => {
  it('ends every link at once, and says until when it can be restored', async () => {
    await publish('one')
    const { source, files } = (await read('one')).body
    const links = [source.url, files[0].url]
    expect(await Promise.all(links.map(open))).toEqual([200, 200])
    expect(await remove('one')).toMatchObject({
      status: 200,
      body: { archiveId: 'one', objects: 4, restorableUntil: expect.any(String) },
    })
    expect(await Promise.all(links.map(open))).toEqual([404, 404])
    expect(await read('one')).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/^The recording one was deleted. Restore it with POST/) },
    })
    expect((await call(world, 'GET /public/recordings/one')).status).toBe(404)
  })

  it('moves it to the list of those that are deleted, with who deleted it', async () => {
    await publish('one')
    await publish('two')
    await remove('one')
    expect((await listed()).map(({ archiveId }: Manifest) => archiveId)).toEqual(['two'])
    const deletedAt = world.now()
    expect(await listed('true')).toMatchObject([{ archiveId: 'one', deletedAt, deletedBy: 'ann', size: 5 }])
  })

  it('may be repeated, and completes what was interrupted', async () => {
    await publish('one')
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = refusing(isCall('DELETE', /poster/), 500, 5)
    expect((await remove('one')).status).toBe(500)
    world.interceptors.aws = (_request, pass) => pass()
    const { body } = await remove('one')
    await world.clock.advance(DAY)
    expect((await remove('one')).body).toEqual({ ...body, objects: 0 }) // its time is not begun again
    expect((await everything()).filter((key) => /one/.test(key) && !/deletions/.test(key))).toEqual([])
  })

  it('deletes one permanently that is deleted already, where it is asked to', async () => {
    await publish('one')
    await remove('one')
    expect((await remove('one', { permanently: 'true' })).body).not.toHaveProperty('restorableUntil')
    expect((await restore('one')).status).toBe(404)
    expect(await listed('true')).toEqual([])
  })

  it('keeps the platform’s copy until the purge, and refuses what is being recorded', async () => {
    await world.aimUploads()
    const sessionId = await world.platform.createSession()
    await world.platform.join(sessionId)
    const { id } = (await world.platform.call('startArchive', { sessionId })).body
    const statusOf = async () => (await world.platform.call('getArchive', { archiveId: id })).body.status
    expect((await remove(id)).status).toBe(409)
    await world.clock.advance(5_000)
    await world.platform.call('stopArchive', { archiveId: id })
    await world.clock.advance(60_000)
    const before = await statusOf()
    expect((await remove(id)).status).toBe(200)
    expect(await statusOf()).toBe(before)
    await world.clock.advance(7 * DAY)
    expect((await sweep()).purged).toEqual([id])
    expect(await statusOf()).toBe('deleted')
  })

  it('answers 404 to one that is nowhere, and keeps no record of it', async () => {
    expect((await remove('none')).status).toBe(404)
    expect(await everything()).toEqual([])
  })
})

describe('POST /recordings/{archiveId}/restore', () => {
  it('brings all of it back as it was, and may be repeated', async () => {
    await publish('one')
    const before = [await everything(), (await read('one')).body.files]
    const { url } = (await read('one')).body.source
    await remove('one')
    await world.clock.advance(6 * DAY)
    expect(await restore('one')).toMatchObject({ status: 200, body: { archiveId: 'one', objects: 4 } })
    expect(await restore('one')).toMatchObject({ status: 200, body: { objects: 0 } })
    expect(await everything()).toEqual(before[0])
    expect((await read('one')).body.files).toMatchObject([{ key: posterOf('one') }])
    expect(await open((await read('one')).body.source.url)).toBe(200)
    expect(url).toBeTypeOf('string')
    await world.clock.advance(30 * DAY)
    expect((await sweep()).purged).toEqual([])
    expect(await everything()).toEqual(before[0])
  })

  it('can be deleted again, for a new period', async () => {
    await publish('one')
    await remove('one')
    await world.clock.advance(3 * DAY)
    await restore('one')
    expect((await remove('one')).body.restorableUntil).toBe('2026-11-30T09:00:00.000Z')
    await world.clock.advance(5 * DAY)
    expect((await sweep()).purged).toEqual([])
    expect((await restore('one')).status).toBe(200)
  })

  it('completes what was interrupted, however late, which the sweep does not purge', async () => {
    await publish('one')
    const before = await everything()
    await remove('one')
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = refusing(isCall('DELETE', /poster/), 500, 5)
    expect((await restore('one')).status).toBe(500)
    world.interceptors.aws = (_request, pass) => pass()
    expect((await remove('one')).status).toBe(409)
    await world.clock.advance(8 * DAY)
    vi.spyOn(console, 'log').mockImplementation(() => {})
    expect(await sweep()).toMatchObject({ purged: [], unpurged: ['one'] })
    expect((await restore('one')).status).toBe(200)
    expect(await everything()).toEqual(before)
  })

  it('is refused once its time is over, whether it was purged or not, and then nothing of it is left', async () => {
    await publish('one')
    await remove('one')
    await world.clock.advance(7 * DAY)
    expect(await restore('one')).toMatchObject({
      status: 409,
      body: { detail: `The recording one could be restored until ${PURGED}.` },
    })
    expect((await sweep()).purged).toEqual(['one'])
    expect((await sweep()).purged).toEqual([])
    expect((await restore('one')).status).toBe(404)
    expect(await world.services.storage.deleteAll('1')).toBe(0)
    for (const place of [world.platform.apiKey, 'recordings/', 'deletions/', 'index/recordings/'])
      expect(await world.services.storage.deleteAll(place), place).toBe(0)
  })

  it('is purged at last where the platform or the bucket failed', async () => {
    await publish('one')
    await remove('one')
    await world.clock.advance(7 * DAY)
    vi.spyOn(console, 'log').mockImplementation(() => {})
    world.interceptors.aws = losingAnswers(isCall('DELETE', /deletions/))
    expect(await sweep()).toMatchObject({ purged: [], unpurged: ['one'] })
    world.interceptors.aws = (_request, pass) => pass()
    await sweep()
    expect(await everything()).toEqual([])
  })

  it('answers 404 to one that is nowhere', async () => {
    expect((await restore('none')).status).toBe(404)
  })
})

describe('a part of a recording that rolled over', () => {
  const joined = joinedId('one')
  beforeEach(async () => {
    await world.accept(webinar, 'a-show')
    await world.services.shows.update('a-show', (state) => ({
      ...state,
      recordings: ['one', 'two'].map((archiveId, index) => ({ name: 'program', part: index + 1, tag: 'a', archiveId })),
    }))
    for (const [index, id] of ['one', 'two'].entries())
      await publish(id, { show: { showId: 'a-show', name: 'program', part: index + 1 } })
    const document = { ...(await world.services.records.readManifest('one')), archiveId: joined, files: [] } as Manifest
    await world.services.records.writeManifest({ ...document, parts: ['one', 'two'] }, async () => true)
  })

  it('hides the joined recording as well, and restores it once all parts are restored, in any order', async () => {
    for (const order of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      for (const id of ['one', 'two']) await remove(id)
      expect((await read(joined)).status).toBe(404)
      await restore(order[0])
      expect((await read(joined)).status).toBe(404)
      await restore(order[1])
      expect((await read(joined)).body).toMatchObject({ parts: ['one', 'two'] })
      expect((await listed()).map(({ archiveId }: Manifest) => archiveId).sort()).toEqual(['one', joined, 'two'])
    }
  })

  it('leaves what was joined without it meanwhile', async () => {
    await remove('two')
    const document = { ...(await world.services.records.readManifest('one')), archiveId: joined, files: [] } as Manifest
    await world.services.records.writeManifest({ ...document, parts: ['one', 'three'] }, async () => true)
    await world.clock.advance(7 * DAY)
    expect((await sweep()).purged).toEqual(['two'])
    expect((await read(joined)).body).toMatchObject({ parts: ['one', 'three'] })
  })
})
