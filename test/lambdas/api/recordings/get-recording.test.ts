import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { call } from '../call.ts'
import { archiveId, manifest } from './recording.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

describe('GET /recordings/{archiveId}', () => {
  it('shows a recording with links that end after an hour', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    const { status, body } = await call(world, `GET /recordings/${archiveId}`)
    expect(status).toBe(200)
    expect(body).toMatchObject(manifest)
    for (const { url, expiresAt } of [body.source, ...body.files]) {
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600')
      expect(expiresAt).toBe('2026-11-20T10:00:00.000Z')
    }
  })

  it('counts as the same version for some minutes, although its links are signed each time', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    const read = (etag = '') => call(world, `GET /recordings/${archiveId}`, { headers: { 'if-none-match': etag } })
    const { etag } = (await read()).headers
    await world.clock.advance(60_000)
    expect((await read(etag)).status).toBe(304)
    await world.services.records.writeManifest({ ...manifest, status: 'failed' }, async () => true)
    expect((await read(etag)).status).toBe(200)
    const listed = await call(world, 'GET /recordings')
    await world.clock.advance(600_000)
    const { status, headers } = await call(world, 'GET /recordings', {
      headers: { 'if-none-match': listed.headers.etag ?? '' },
    })
    expect([status, headers.etag === listed.headers.etag]).toEqual([200, false])
  })

  it.each(['none', '..%2F..%2Fshows', 'a'.repeat(65)])('answers 404 to %s', async (id) => {
    expect((await call(world, `GET /recordings/${id}`)).status).toBe(404)
  })
})
