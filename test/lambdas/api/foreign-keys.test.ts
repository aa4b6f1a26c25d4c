import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler as watch } from '../../../lambdas/watch/watch.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { invoke, openWorld, type World } from '../../support/world.ts'
import { call } from './call.ts'
import { archiveId, manifest } from './recordings/recording.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const secret = { role: 'poster' as const, key: keys.request('a-show'), size: 1, sha256: null }
const source = { key: keys.archive('1', archiveId), size: 1, sha256: null }

/** Puts a manifest where the API finds it, as a function that was taken over would: by S3 alone. */
async function forge(changes: Partial<Manifest>) {
  const { records, storage } = world.services
  await world.accept()
  await records.writeManifest(manifest, async () => true)
  const forged: Manifest = { ...manifest, access: 'public', source, files: [secret], ...changes }
  await storage.put(keys.manifest(archiveId), JSON.stringify(forged), 'application/json')
}

/** Asks the page for a recording, as anybody may. */
const visit = async () => {
  const path = `/watch/${archiveId}/recording`
  const event = {
    ...{ version: '2.0', rawPath: path, headers: {}, pathParameters: { archiveId }, isBase64Encoded: false },
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path } },
  }
  return (await invoke(watch, world.services, event)) as { statusCode: number; body: string }
}

describe('a manifest that names foreign keys', () => {
  it.each<[string, Partial<Manifest>]>([
    ['a record of a show', {}],
    ['another recording’s source', { files: [], source: { ...source, key: keys.archive('1', 'another') } }],
    ['a record as its source', { files: [], source: { ...source, key: keys.request('a-show') } }],
    [
      'another recording as its own',
      { files: [], archiveId: 'another', source: { ...source, key: keys.archive('1', 'another') } },
    ],
  ])('gets no link to %s', async (_what, changes) => {
    await forge(changes)
    const answers = [
      await call(world, `GET /public/recordings/${archiveId}`),
      await call(world, `GET /recordings/${archiveId}`),
    ]
    for (const { status, body } of answers)
      expect([status, body.detail]).toEqual([500, expect.stringContaining('names files that are not its own')])
    const page = await visit()
    expect(page.statusCode).toBe(500)
    expect(JSON.stringify([answers, page])).not.toContain('X-Amz-Signature')
  })

  it('is left out of the list, and logged', async () => {
    await forge({})
    await world.services.records.writeManifest({ ...manifest, ...other }, async () => true)
    const { body } = await call(world, 'GET /recordings')
    expect(body.items).toMatchObject([{ archiveId: other.archiveId }])
  })

  it('is published again by a rebuild, and deleted by a deletion, which touches nothing else', async () => {
    const { records, storage } = world.services
    await storage.put(source.key, 'film', 'video/mp4')
    await storage.put(keys.archive('1', 'another'), 'film', 'video/mp4')
    await forge({ source: { ...source, key: 'index/' } })
    expect((await call(world, `POST /recordings/${archiveId}/rebuild`, { body: {} })).status).toBe(404)
    await records.changeManifest(
      archiveId,
      (earlier) => ({ ...manifest, tools: { earlier: String(earlier) } }),
      isCurrent,
    )
    expect(await records.readManifest(archiveId)).toMatchObject({ tools: { earlier: 'undefined' } })
    await forge({ source: { ...source, key: 'index/' } })
    expect((await call(world, `DELETE /recordings/${archiveId}`)).status).toBe(200)
    expect(await storage.sizeOf(keys.archive('1', 'another'))).toBe(4)
    expect((await storage.list('index/shows/', { limit: 1 })).keys).toHaveLength(1)
  })

  it('is not written either', async () => {
    const written = world.services.records.writeManifest({ ...manifest, files: [secret] }, isCurrent)
    await expect(written).rejects.toThrow(`The manifest of recording ${archiveId} names foreign keys`)
  })
})

const isCurrent = async () => true
const other = { archiveId: 'other', source: { ...source, key: keys.archive('1', 'other') }, files: [] }
