import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotationSteps } from '../../../lib/tasks/operations.ts'
import { isCall } from '../../support/world/interceptors.ts'
import { BUCKET } from '../../support/world.ts'
import { bringLive } from '../run.ts'
import { holdUploads, type KeyRotation, openKeyRotation } from './upload-key-rotation.ts'

let rotation: KeyRotation
beforeEach(() => {
  rotation = openKeyRotation()
})
afterEach(() => rotation.world.close())

describe('rotateUploadKey, retiring former keys', () => {
  it('retires the former key in two steps once nothing is under way', async () => {
    const { world, followUp, rotate, keyIn, statuses } = rotation
    await rotate()
    const former = world.firstKey.accessKeyId
    expect(await followUp()).toMatchObject({ deactivated: [former] })
    expect(statuses()).toEqual(['Inactive', 'Active'])
    expect(await followUp()).toMatchObject({ deleted: [former] })
    expect(await followUp()).toMatchObject({ outcome: 'nothing to do' })
    expect(world.uploadKeys()).toEqual([{ accessKeyId: await keyIn(), status: 'Active' }])
  })

  it('keeps the former key while an archive is started or stopped, so that its upload arrives', async () => {
    const { world, followUp, rotate, keyIn, statuses } = rotation
    const { sessionId, recordings, guest } = await bringLive(world)
    const [{ archiveId } = { archiveId: '' }] = recordings
    const { begun, release, usedKeys } = holdUploads(rotation)
    await world.platform.call('stopArchive', { archiveId })
    await begun // with the key of that time
    await rotate()
    const former = world.firstKey.accessKeyId
    expect(await followUp()).toEqual({ outcome: 'done', deactivated: [], deleted: [], kept: [former] })
    expect(statuses()).toEqual(['Active', 'Active'])

    for (const other of recordings.slice(1)) await world.platform.call('stopArchive', { archiveId: other.archiveId })
    const { body } = await world.platform.call('listArchives', { sessionId })
    expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['stopped', 'stopped'])
    expect(await followUp()).toMatchObject({ kept: [former] })

    release()
    await guest.leave()
    await world.clock.advance(0)
    expect(usedKeys).toEqual(new Set([former, await keyIn()]))
    for (const { archiveId } of recordings) {
      expect((await world.platform.call('getArchive', { archiveId })).body.status).toBe('uploaded')
      expect(await world.services.storage.sizeOf(`${world.platform.apiKey}/${archiveId}/archive.mp4`)).toBeGreaterThan(
        0,
      )
    }
  })

  it('finds an archive under way among many later ones', async () => {
    const { world, followUp, rotate } = rotation
    const { recordings } = await bringLive(world)
    await rotate()
    const archive = (status: string) => ({ ...recordings[0], id: status, status })
    const pages = [
      { count: 1_001, items: Array.from({ length: 1_000 }, () => archive('uploaded')) },
      { count: 1_001, items: [archive('paused')] },
    ]
    const { body: sample } = await world.platform.call('getArchive', { archiveId: recordings[0]?.archiveId })
    world.interceptors.platform = async (request, pass) => {
      if (!isCall('GET', /\/archive$/)(request)) return pass()
      const page = pages.shift()
      return Response.json({ ...page, items: page?.items.map(({ id, status }) => ({ ...sample, id, status })) })
    }
    expect(await followUp()).toMatchObject({ kept: [world.firstKey.accessKeyId] })
    expect(pages).toEqual([])
  })

  it('refuses another rotation while an upload may use the former key, and does it afterwards', async () => {
    const { world, targets, step, rotate, keyIn, statuses } = rotation
    const { recordings, guest } = await bringLive(world)
    await rotate()
    const second = await world.beginRotation('upload')
    await expect(step('createSecret', second)).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringContaining(`the former one (${world.firstKey.accessKeyId}) may be in use`),
    })
    expect(statuses()).toEqual(['Active', 'Active'])
    for (const { archiveId } of recordings) await world.platform.call('stopArchive', { archiveId })
    await guest.leave()
    await world.clock.advance(600_000)
    for (const name of rotationSteps) await step(name, second)
    expect(world.uploadKeys().map(({ accessKeyId }) => accessKeyId)).not.toContain(world.firstKey.accessKeyId)
    expect(statuses()).toEqual(['Active', 'Active'])
    expect(targets.at(-1)).toBe(await keyIn())
  })

  it('retires no key while a rotation is under way', async () => {
    const { world, followUp, statuses } = rotation
    await world.beginRotation('upload')
    await world.services.accessKeys.create() // as createSecret has just done it
    expect(await followUp()).toEqual({ outcome: 'nothing to do' })
    expect(statuses()).toEqual(['Active', 'Active'])
  })

  it('sets the current key for uploads before it retires another', async () => {
    const { world, targets, followUp, rotate, keyIn } = rotation
    await rotate()
    await world.platform.call('setUploadTarget', {
      type: 's3',
      config: { accessKey: world.firstKey.accessKeyId, secretKey: 'a', bucket: BUCKET },
    })
    await followUp()
    expect(targets.at(-1)).toBe(await keyIn())
  })
})
