import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
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

  it('filters by show and by label', async () => {
    const ofShow = (archiveId: string, showId: string) => {
      const replaced = JSON.stringify(manifest).replaceAll(manifest.archiveId, archiveId)
      const document = { ...JSON.parse(replaced), show: { showId, name: 'program', part: 1 } }
      return world.services.records.writeManifest(document, async () => true)
    }
    await world.accept({ ...webinar, labels: { customer: 'c-7' } }, 'one')
    await world.accept(webinar, 'other')
    await ofShow('00000000-0000-4000-8000-000000000001', 'one')
    await ofShow('00000000-0000-4000-8000-000000000002', 'other')
    const idsOf = async (query: Record<string, string>) =>
      (await call(world, 'GET /recordings', { query })).body.items.map(({ archiveId }: { archiveId: string }) =>
        archiveId.at(-1),
      )
    expect(await idsOf({ showId: 'other' })).toEqual(['2'])
    expect(await idsOf({ label: 'customer=c-7' })).toEqual(['1'])
    expect(await idsOf({ label: 'customer=c-7', showId: 'other' })).toEqual([])
    expect(await idsOf({})).toHaveLength(2)
    expect(await call(world, 'GET /recordings', { query: { deleted: 'true', showId: 'one' } })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'showId', message: 'is not for deleted recordings' }] },
    })
  })

  it('filters by name or title, and by the time of creation', async () => {
    const add = (number: number, name: string, title: string) => {
      const archiveId = `00000000-0000-4000-8000-00000000000${number}`
      const replaced: Manifest = JSON.parse(JSON.stringify(manifest).replaceAll(manifest.archiveId, archiveId))
      const createdAt = `2026-03-0${number}T10:00:00.000Z`
      const ofShow = { createdAt, show: { showId: 'one', name, part: 1 }, page: { title } }
      return world.services.records.writeManifest({ ...replaced, ...ofShow }, async () => true)
    }
    await add(1, 'program', 'Launch')
    await add(2, 'speakers', 'Launch')
    await add(3, 'program', 'Weekly')
    const numbersOf = async (query: Record<string, string>) =>
      (await call(world, 'GET /recordings', { query })).body.items.map(({ archiveId }: Manifest) => archiveId.at(-1))
    expect(await numbersOf({ name: 'LAUNCH' })).toEqual(['2', '1'])
    expect(await numbersOf({ name: 'speak' })).toEqual(['2'])
    expect(await numbersOf({ from: '2026-03-02T10:00:00Z' })).toEqual(['3', '2'])
    expect(await numbersOf({ to: '2026-03-02T10:00:00Z' })).toEqual(['2', '1'])
    expect(await numbersOf({ name: 'program', to: '2026-03-02T00:00:00Z' })).toEqual(['1'])
    const { cursor } = (await call(world, 'GET /recordings', { query: { name: 'program', limit: '1' } })).body
    expect(await numbersOf({ name: 'program', cursor })).toEqual(['1'])
  })

  it('leaves out what is listed and not there', async () => {
    await world.services.records.writeManifest(manifest, async () => true)
    await world.services.storage.put(keys.recordingIndex(1, 'lost'), '', 'text/plain')
    expect((await call(world, 'GET /recordings')).body.items).toHaveLength(1)
  })
})
