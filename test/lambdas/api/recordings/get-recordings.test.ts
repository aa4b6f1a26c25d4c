import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../../lib/show/state/keys.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { call } from '../call.ts'
import { manifest } from './recording.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  await world.close()
})

describe('GET /recordings', () => {
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
