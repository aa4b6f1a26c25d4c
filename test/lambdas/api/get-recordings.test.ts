import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../../lib/workflow/documents/manifest.ts'
import { keys } from '../../../lib/workflow/keys.ts'
import { openWorld, START_TIME, type World } from '../../support/world.ts'
import { call } from './call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  await world.close()
})

describe('GET /recordings', () => {
  const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
  const manifest: Manifest = {
    version: 1,
    archiveId,
    createdAt: START_TIME,
    status: 'complete',
    access: 'signed',
    source: { key: keys.archive('1', archiveId), size: 1, sha256: null },
    duration: 1,
    video: null,
    audio: null,
    files: [{ role: 'poster', key: keys.poster(archiveId), size: 1, sha256: null }],
  }

  it('lists manifests with links that work for an hour', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    const { body } = await call(world, 'GET /recordings')
    expect(body.items).toMatchObject([manifest])
    for (const { url } of [body.items[0].source, ...body.items[0].files]) {
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600')
    }
  })

  it('leaves out what is listed and not there', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    await world.services.storage.put(keys.recordingIndex(1, 'lost'), '', 'text/plain')
    expect((await call(world, 'GET /recordings')).body.items).toHaveLength(1)
  })
})
