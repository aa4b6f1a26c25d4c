import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordingsCommand } from '../../../../bin/commands/recordings/recordings.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { call } from '../../../lambdas/api/call.ts'
import { archiveId, manifest } from '../../../lambdas/api/recordings/recording.ts'
import { collectOutput } from '../../../support/stdout.ts'
import { openWorld, type World } from '../../../support/world.ts'

let folder: string
let world: World
let server: Listening
let output: ReturnType<typeof collectOutput>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  server = await listen(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const text = await request.text()
    const query = searchParams.size > 0 ? { query: Object.fromEntries(searchParams) } : {}
    const { status, body } = await call(world, `${request.method} ${pathname}`, { body: text, ...query })
    return Response.json(body, { status })
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  world = openWorld({}, 'Enabled')
  vi.stubEnv('SHOWRUNNER_TOKEN', 'token')
  output = collectOutput()
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await world.close()
})

/** Runs a command about the recording. */
async function recordings(command: string, ...options: string[]): Promise<string> {
  output.stdout = ''
  await recordingsCommand().parseAsync([command, archiveId, '--url', server.url, ...options], { from: 'user' })
  return output.stdout
}

const publish = (changes = {}) => world.services.records.writeManifest({ ...manifest, ...changes }, async () => true)

/** Publishes a film, and withholds another one in its place. */
async function withhold() {
  const { storage } = world.services
  await storage.put(manifest.source.key, 'film', 'video/mp4')
  const { etag } = (await storage.headOf(manifest.source.key)) ?? {}
  await storage.put(manifest.source.key, 'other', 'video/mp4')
  const other = (await storage.etagOf(manifest.source.key)) ?? ''
  const withheld = { etag: other, size: 5, sha256: null, since: world.now(), differences: ['It has 5 bytes.'] }
  await publish({ source: { ...manifest.source, etag }, withheld })
}

describe('recordings show', () => {
  it('prints the published and the withheld files, and the watch link', async () => {
    await withhold()
    const printed = await recordings('show')
    expect(printed).toContain(`Recording ${archiveId}: complete, signed, 1 bytes.\nPublished: poster.\nWatch it: http`)
    expect(printed).toContain('  It has 5 bytes.\nPublish it with `recordings accept')
  })
})

describe('recordings accept and reject', () => {
  it('publishes a withheld file', async () => {
    await withhold()
    expect(await recordings('accept')).toBe('The withheld file: publishing.\n')
    expect((await world.services.records.readManifest(archiveId))?.withheld).toHaveProperty('acceptedAt')
  })

  it('deletes a withheld file', async () => {
    await withhold()
    expect(JSON.parse(await recordings('reject', '--json'))).toMatchObject({ archiveId, outcome: 'rejected' })
    expect(await world.services.storage.readText(manifest.source.key)).toBe('film')
  })

  it('refuses if no file is withheld', async () => {
    await publish()
    await expect(recordings('reject')).rejects.toThrow('has no withheld file to reject')
  })
})

describe('recordings revoke', () => {
  it('revokes links', async () => {
    await publish()
    expect(await recordings('revoke')).toBe(`The links were revoked of: ${archiveId}.\n`)
    expect(await world.services.records.readManifest(archiveId)).toMatchObject({ access: 'signed', epoch: 1 })
  })
})

describe('recordings captions', () => {
  const VTT = 'WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nGood evening.\n'

  it('supplies, lists and deletes captions', async () => {
    await publish()
    const file = join(folder, 'en.vtt')
    await writeFile(file, VTT)
    expect(await recordings('captions')).toBe('It has no captions.\n')
    expect(await recordings('captions', 'en', file)).toBe('The captions in en were stored. Now: en.\n')
    expect(JSON.parse(await recordings('captions', '--json'))).toEqual({ archiveId, captions: ['en'] })
    await expect(recordings('captions', 'de')).rejects.toThrow('no captions in de. Captions in: en.')
    expect(await recordings('captions', 'en', '--delete')).toBe('The captions in en were deleted. Now: none.\n')
  })

  it('reports a file that is not WebVTT, or not there', async () => {
    await publish()
    const file = join(folder, 'notes.txt')
    await writeFile(file, 'Good evening.')
    await expect(recordings('captions', 'en', file)).rejects.toThrow(/WebVTT|WEBVTT/)
    await expect(recordings('captions', 'en', join(folder, 'none.vtt'))).rejects.toThrow('it does not exist')
    await expect(recordings('captions', '--delete')).rejects.toThrow('--delete needs a language')
  })
})

describe('recordings delete and restore', () => {
  it('deletes a recording, lists it as deleted, and restores it', async () => {
    await world.services.storage.put(manifest.source.key, 'f', 'video/mp4')
    await publish()
    expect(await recordings('delete')).toMatch(
      /is deleted, and its links stop working\. Until \d{4}-\d\d-\d\d \d\d:\d\d, /,
    )
    await expect(recordings('show')).rejects.toThrow('deleted')
    output.stdout = ''
    await recordingsCommand().parseAsync(['list', '--deleted', '--url', server.url], { from: 'user' })
    expect(output.stdout).toMatch(new RegExp(`^${archiveId} +\\d{4}-`, 'm'))
    expect(await recordings('restore')).toContain(`The recording ${archiveId} is restored`)
    expect(await recordings('show')).toContain(': complete')
  })

  it('deletes permanently only with a confirmation', async () => {
    await world.services.storage.put(manifest.source.key, 'f', 'video/mp4')
    await publish()
    await expect(recordings('delete', '--permanently')).rejects.toThrow('Pass --yes to delete it permanently.')
    expect(await recordings('delete', '--permanently', '--yes')).toBe(
      `The recording ${archiveId} is deleted permanently.\n`,
    )
    expect(await world.services.storage.headOf(manifest.source.key)).toBeUndefined()
  })
})
