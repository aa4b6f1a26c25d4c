import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotationSteps } from '../../../lib/tasks/operations.ts'
import { refusing } from '../../support/world/interceptors.ts'
import { webinar } from '../../support/world.ts'
import { bringLive, run } from '../run.ts'
import { holdUploads, type KeyRotation, openKeyRotation } from './upload-key-rotation.ts'

let rotation: KeyRotation
beforeEach(() => {
  rotation = openKeyRotation()
})
afterEach(() => rotation.world.close())

describe('rotateUploadKey, revoking former keys', () => {
  it('revokes the former key at once, so that another rotation can start', async () => {
    const { world, targets, step, revoke, rotate, keyIn, statuses } = rotation
    await bringLive(world)
    await world.clock.advance(1_000)
    await rotate()
    const second = await world.beginRotation('upload')
    await expect(step('createSecret', second)).rejects.toMatchObject({ name: 'ServiceError' })
    const { accessKeyId } = world.firstKey
    expect(await revoke()).toMatchObject({ outcome: 'done', deactivated: [accessKeyId], deleted: [] })
    expect(statuses()).toEqual(['Inactive', 'Active'])
    for (const name of rotationSteps) await step(name, second)
    expect(world.uploadKeys().map((key) => key.accessKeyId)).not.toContain(accessKeyId)
    expect(await revoke()).toMatchObject({ outcome: 'done' })
    expect(statuses()).toEqual(['Inactive', 'Active'])
    expect(targets.at(-1)).toBe(await keyIn())
    expect(await revoke()).toMatchObject({ outcome: 'nothing to do' })
  })

  it('leaves an upload with a revoked key to the fallback and the rescue', async () => {
    const { world, revoke, rotate } = rotation
    const { showId, sessionId, recordings, guest } = await bringLive(world, { ...webinar, broadcasts: [] })
    const [{ archiveId } = { archiveId: '' }] = recordings
    const { begun, release } = holdUploads(rotation)
    await world.platform.call('stopArchive', { archiveId })
    await begun // with the key of that time
    await rotate()
    await revoke()
    release()
    await guest.leave()
    await run(world, 'stopShow', { showId, sessionId, reason: 'It ended.', failure: null })
    await world.clock.advance(600_000)
    const { stranded } = await run(world, 'checkUploads', { showId, sessionId })
    expect(stranded).toMatchObject([{ archiveId }])
    for (const one of stranded) await run(world, 'rescueArchive', { showId, ...one })
    const { size } = (await world.platform.call('getArchive', { archiveId })).body
    expect(await world.services.storage.sizeOf(`${world.platform.apiKey}/${archiveId}/archive.mp4`)).toBe(size)
  })

  it('revokes also while the platform cannot be reached', async () => {
    const { world, revoke, rotate, statuses } = rotation
    await world.clock.advance(1_000)
    await rotate()
    world.interceptors.platform = refusing(() => true, 503)
    await expect(revoke()).rejects.toThrow()
    expect(statuses()).toEqual(['Inactive', 'Active'])
  })

  it('never revokes the key that a rotation has just created', async () => {
    const { world, followUp, revoke, rotate, statuses } = rotation
    await world.clock.advance(1_000)
    await rotate()
    await revoke()
    await followUp()
    await world.beginRotation('upload')
    await world.clock.advance(1_000)
    await world.services.accessKeys.create()
    expect(await revoke()).toMatchObject({ deactivated: [] })
    expect(statuses()).toEqual(['Active', 'Active'])
  })
})
