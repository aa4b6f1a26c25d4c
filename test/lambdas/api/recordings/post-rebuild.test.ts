import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../../lib/show/state/keys.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { call } from '../call.ts'
import { archiveId, manifest } from './recording.ts'

let world: World
/** What the publish machine was started with. */
let inputs: unknown[]
beforeEach(async () => {
  world = openWorld()
  inputs = []
  world.machines.publish = async (input) => void inputs.push(input)
  await world.services.storage.put(manifest.source.key, 'source', 'video/mp4')
  await world.services.records.writeManifest(manifest, async () => true)
})
afterEach(() => world.close())

const rebuild = async (body?: unknown, key?: string, id = archiveId) => {
  const answer = await call(world, `POST /recordings/${id}/rebuild`, { body, ...(key !== undefined && { key }) })
  await world.clock.advance(0)
  return answer
}
const source = async () => ({
  bucket: 'media',
  key: manifest.source.key,
  etag: await world.services.storage.etagOf(manifest.source.key),
})

describe('POST /recordings/{archiveId}/rebuild', () => {
  it('publishes the stored file again, by a new execution', async () => {
    const { status, body } = await rebuild()
    expect(status).toBe(202)
    expect(body).toEqual({ archiveId, executionName: expect.stringMatching(`^${archiveId}-rebuild-[0-9a-f]{16}$`) })
    expect(inputs).toEqual([await source()])
    await rebuild()
    expect(inputs).toHaveLength(2)
  })

  it('makes other formats of it', async () => {
    await rebuild({ formats: [] })
    expect(inputs).toEqual([{ ...(await source()), formats: [] }])
  })

  it('is done once for one Idempotency-Key', async () => {
    expect(await rebuild({}, 'key')).toEqual(await rebuild({}, 'key'))
    expect(inputs).toHaveLength(1)
  })

  it('works for one that was never published', async () => {
    const key = keys.archive(world.platform.apiKey, 'late', 'individual')
    await world.services.storage.put(key, 'zip', 'application/zip')
    await rebuild({}, undefined, 'late')
    expect(inputs).toMatchObject([{ key }])
  })

  it('answers 404 when its file is not there', async () => {
    await world.services.storage.delete(manifest.source.key)
    expect((await rebuild()).status).toBe(404)
    expect((await rebuild({}, undefined, 'none')).status).toBe(404)
  })

  it('does not publish a recording again whose deletion was interrupted', async () => {
    const { storage } = world.services
    world.interceptors.aws = async (request, pass) =>
      request.method === 'DELETE' ? new Response('', { status: 500 }) : pass()
    expect((await call(world, `DELETE /recordings/${archiveId}`)).status).toBe(500)
    world.interceptors.aws = (_request, pass) => pass()
    expect(await rebuild()).toMatchObject({
      status: 409,
      headers: { 'retry-after': '30' },
      body: { type: expect.stringMatching(/recording-busy$/), detail: expect.stringContaining('not complete') },
    })
    expect((await call(world, `POST /recordings/${archiveId}/restore`)).status).toBe(200)
    expect((await rebuild()).status).toBe(202)
    expect(await storage.etagOf(keys.deletion(archiveId))).toBeUndefined()
  })

  it('refuses formats it does not know', async () => {
    expect(await rebuild({ formats: ['gif'] })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'formats[0]' }] },
    })
  })
})
