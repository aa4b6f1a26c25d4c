import { afterEach, expect, it, vi } from 'vitest'
import { call } from '../lambdas/api/call.ts'
import { archiveId, manifest } from '../lambdas/api/recordings/recording.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

// Apart from get-recording.test.ts, which also runs with services of which nothing is replaced.
it('GET /recordings/{archiveId} promises no more than the credentials of the function last', async () => {
  world = openWorld()
  await world.services.records.writeManifest(manifest, async () => true)
  vi.spyOn(world.services.storage, 'linkEnd').mockResolvedValue(Date.parse('2026-11-20T09:10:00.000Z'))
  const { body } = await call(world, `GET /recordings/${archiveId}`)
  expect(body.source.expiresAt).toBe('2026-11-20T09:10:00.000Z')
})
