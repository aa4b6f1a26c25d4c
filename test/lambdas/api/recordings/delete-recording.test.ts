import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import { isCall, losingAnswers, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { call } from '../call.ts'
import { manifest, posterOf } from './recording.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const remove = (archiveId: string) => call(world, `DELETE /recordings/${archiveId}`, { query: { permanently: 'true' } })
const everything = async () => (await world.services.storage.list('', { limit: 100 })).keys

/** A recording that the platform has uploaded and that is published, with its poster. */
async function publish() {
  await world.aimUploads()
  const sessionId = await world.platform.createSession()
  await world.platform.join(sessionId)
  const { id } = (await world.platform.call('startArchive', { sessionId })).body
  await world.clock.advance(5_000)
  await world.platform.call('stopArchive', { archiveId: id })
  await world.clock.advance(60_000)
  const key = keys.archive(world.platform.apiKey, id)
  const document: Manifest = {
    ...manifest,
    archiveId: id,
    source: { key, size: 1, sha256: null },
    files: [{ role: 'poster', key: posterOf(id), size: 1, sha256: null }],
  }
  await world.services.storage.put(posterOf(id), 'poster', 'image/jpeg')
  await world.services.records.writeManifest(document, async () => true)
  expect(await everything()).toHaveLength(4)
  return { id, key, sessionId }
}
const statusOf = async (archiveId: string) => (await world.platform.call('getArchive', { archiveId })).body.status

describe('DELETE /recordings/{archiveId} with permanently=true', () => {
  it('leaves nothing of it, neither here nor at the platform, and touches no other', async () => {
    const { id } = await publish()
    await world.services.storage.put(posterOf(`${id}-other`), 'poster', 'image/jpeg')
    expect(await remove(id)).toMatchObject({ status: 200, body: { archiveId: id, objects: 4 } })
    expect(await everything()).toEqual([posterOf(`${id}-other`)])
    expect(await statusOf(id)).toBe('deleted')
    expect((await call(world, `GET /recordings/${id}`)).status).toBe(404)
  })

  it('deletes with a part what joins it to others, and with that no part', async () => {
    const { id, key } = await publish()
    const later = `${id}-later`
    const joined = joinedId(id)
    await world.accept(webinar, 'a-show')
    await world.services.shows.update('a-show', (state) => ({
      ...state,
      recordings: [{ name: 'program', part: 1, tag: 'a', archiveId: id }],
    }))
    const of = (archiveId: string, part: number) => ({
      ...{ ...manifest, archiveId, show: { showId: 'a-show', name: 'program', part }, files: [] },
      source: { key: archiveId === later ? key.replace(id, later) : key, size: 1, sha256: null },
    })
    const write = (document: Manifest) => world.services.records.writeManifest(document, async () => true)
    const ofJoined = async () => (await everything()).filter((one) => one.includes(joined))
    await write(of(later, 2))
    await write({ ...of(joined, 1), parts: [id, later] })
    expect(await remove(joined)).toMatchObject({ status: 200, body: { objects: 2 } })
    expect(await ofJoined()).toEqual([])
    expect(await everything()).toContain(key)
    expect((await remove(joined)).status).toBe(404)

    await write({ ...of(joined, 1), parts: [id, 'another'] })
    await remove(later)
    expect(await ofJoined()).toHaveLength(2)
    await write(of(later, 2))
    await write({ ...of(joined, 1), parts: [id, later] })
    expect((await remove(later)).status).toBe(200)
    expect(await ofJoined()).toEqual([])
  })

  it('does no harm when it is repeated', async () => {
    const { id } = await publish()
    await remove(id)
    expect(await remove(id)).toMatchObject({ status: 200, body: { objects: 0 } })
  })

  it('leaves nothing that could be restored', async () => {
    const { id } = await publish()
    await remove(id)
    expect(await call(world, `DELETE /recordings/${id}`)).toMatchObject({ status: 404 })
    expect(await call(world, `POST /recordings/${id}/restore`)).toMatchObject({ status: 404 })
    expect(await everything()).toEqual([])
  })

  it('completes an interrupted deletion', async () => {
    const { id } = await publish()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = losingAnswers(isCall('DELETE', /index/))
    expect((await remove(id)).status).toBe(500)
    world.interceptors.aws = (_request, pass) => pass()
    expect((await remove(id)).status).toBe(200)
    expect(await everything()).toEqual([])
  })

  it('deletes every version where the bucket keeps them', async () => {
    world.keepVersions()
    const { id, key } = await publish()
    await world.services.storage.put(key, 'rescued meanwhile', 'video/mp4')
    await world.services.storage.delete(posterOf(id))
    expect(await remove(id)).toMatchObject({ status: 200, body: { objects: 6 } }) // two of the source, the poster and its marker
    expect(await world.services.storage.deleteAll('')).toBe(0)
  })

  it('refuses one that is being recorded, and deletes nothing of it', async () => {
    await world.aimUploads()
    const sessionId = await world.platform.createSession()
    await world.platform.join(sessionId)
    const { id } = (await world.platform.call('startArchive', { sessionId })).body
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { detail: `The recording ${id} is being recorded or uploaded. Repeat the request later.` },
    })
    expect(await statusOf(id)).toBe('started')
  })

  it('refuses one that is being published, and once that has ended nothing brings it back', async () => {
    const { id, key } = await publish()
    const etag = (await world.services.storage.etagOf(key)) ?? ''
    const { promise, resolve } = Promise.withResolvers<unknown>()
    world.machines.publish = () => promise
    const { outcome, executionName } = await run(world, 'startPublish', {
      detail: { bucket: { name: 'media' }, object: { key, etag } },
    })
    expect(outcome).toBe('started')
    await world.clock.advance(0)
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { detail: `The recording ${id} is being published. Repeat the request later.` },
    })
    expect(await everything()).toHaveLength(4)
    resolve({})
    await world.clock.advance(1_000)
    expect((await remove(id)).status).toBe(200)
    const late = {
      ...{ bucket: 'media', key, etag, executionName },
      ...{
        stage: 'complete' as const,
        inspection: null,
        hashes: null,
        loudness: null,
        files: [],
        missing: [],
        ffmpeg: null,
        failure: null,
      },
    }
    expect(await run(world, 'writeManifest', late)).toEqual({ archiveId: id, status: 'replaced' })
    expect(await everything()).toEqual([])
  })

  it('deletes a recording without a manifest, and one that the platform does not know', async () => {
    await world.services.storage.put(keys.archive(world.platform.apiKey, 'orphan', 'individual'), 'zip', 'a/b')
    expect(await remove('orphan')).toMatchObject({ status: 200, body: { objects: 1 } })
    expect(await everything()).toEqual([])
  })

  it('answers 404 to one that is nowhere', async () => {
    expect((await remove('none')).status).toBe(404)
  })

  it('deletes nothing while the platform cannot be asked', async () => {
    const { id } = await publish()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.platform = refusing(() => true, 503)
    expect((await remove(id)).status).toBe(502)
    expect(await everything()).toHaveLength(4)
  })
})
