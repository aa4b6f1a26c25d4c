import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordingCommand } from '../../../../bin/commands/shows/recording.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { call } from '../../../lambdas/api/call.ts'
import { archiveId, manifest } from '../../../lambdas/api/recordings/recording.ts'
import { openWorld, type World } from '../../../support/world.ts'

let world: World
let server: Listening
let printed: string
beforeAll(async () => {
  server = await listen(async (request) => {
    const text = await request.text()
    const { status, body } = await call(world, `${request.method} ${new URL(request.url).pathname}`, { body: text })
    return Response.json(body, { status })
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  world = openWorld({}, 'Enabled')
  vi.stubEnv('SHOWRUNNER_TOKEN', 'token')
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await world.close()
})

const showrunner = (...options: string[]) =>
  recordingCommand()
    .exitOverride()
    .parseAsync([archiveId, '--url', server.url, ...options], { from: 'user' })

/** Publishes a film, and withholds another one in its place. */
async function withhold() {
  const { records, storage } = world.services
  await storage.put(manifest.source.key, 'film', 'video/mp4')
  const { etag } = (await storage.headOf(manifest.source.key)) ?? {}
  await storage.put(manifest.source.key, 'other', 'video/mp4')
  const other = (await storage.etagOf(manifest.source.key)) ?? ''
  const withheld = { etag: other, size: 5, sha256: null, since: world.now(), differences: ['It has 5 bytes.'] }
  await records.writeManifest({ ...manifest, source: { ...manifest.source, etag }, withheld }, async () => true)
}

describe('recordingCommand', () => {
  it('prints the published and the withheld files', async () => {
    await withhold()
    await showrunner()
    expect(printed).toContain(`Recording ${archiveId}: complete, signed, 1 bytes.\nPublished: poster.\nWithheld since`)
    expect(printed).toContain('  It has 5 bytes.\nPublish it with --accept, or delete it with --reject.')
  })

  it('publishes a withheld file', async () => {
    await withhold()
    await showrunner('--accept')
    expect(printed).toBe('The withheld file: publishing.\n')
    expect((await world.services.records.readManifest(archiveId))?.withheld).toHaveProperty('acceptedAt')
  })

  it('deletes a withheld file', async () => {
    await withhold()
    await showrunner('--reject', '--json')
    expect(JSON.parse(printed)).toMatchObject({ archiveId, outcome: 'rejected' })
    expect(await world.services.storage.readText(manifest.source.key)).toBe('film')
  })

  it('revokes links', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    await showrunner('--revoke-links')
    expect(printed).toBe(`The links were revoked of: ${archiveId}.\n`)
    expect(await world.services.records.readManifest(archiveId)).toMatchObject({ access: 'signed', epoch: 1 })
  })

  it('refuses if no file is withheld', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    await expect(showrunner('--reject')).rejects.toThrow('has no withheld file to reject')
  })
})
