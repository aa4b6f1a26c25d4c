import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Archive } from '../../../../../lib/platform/contract/archives.ts'
import { archiveOperations } from '../../../../../lib/platform/contract/archives.ts'
import {
  archiveOf,
  isUnderWay,
  recordingOutcomeOf,
  withOverlaps,
} from '../../../../../lib/show/run/finish/recording-outcomes.ts'
import { keys } from '../../../../../lib/show/state/keys.ts'
import { openWorld, type World } from '../../../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const archive = (changes: Partial<Archive>): Archive => ({
  ...archiveOperations.getArchive.success.response.parse(archiveOperations.getArchive.example.response),
  ...changes,
})
const recording = { name: 'program', part: 1, tag: 'one/program/1' }
const uploaded = archive({ status: 'uploaded', size: 5, duration: 20, reason: 'user initiated' })
const key = keys.archive(uploaded.projectId, uploaded.id)
const fate = (of: Archive | undefined, changes = {}) =>
  recordingOutcomeOf(world.services.storage, { ...recording, ...changes }, of)

describe('fateOf', () => {
  it('returns the file in the bucket, with the platform’s properties', async () => {
    await world.services.storage.put(key, 'bytes', 'video/mp4')
    expect(await fate(uploaded)).toEqual({
      ...recording,
      archiveId: uploaded.id,
      createdAt: new Date(uploaded.createdAt).toISOString(),
      status: 'uploaded',
      reason: 'user initiated',
      duration: 20,
      size: 5,
      key,
    })
  })

  it.each(['expired', 'deleted'] as const)(
    'prefers the file in the bucket for an archive that is %s',
    async (status) => {
      await world.services.storage.put(key, 'bytes', 'video/mp4')
      const { lost, key: named } = await fate(archive({ ...uploaded, status }))
      expect([lost, named]).toEqual([undefined, key])
    },
  )

  it('finds an individual archive by its key, and returns its checksum in hexadecimal', async () => {
    const zip = keys.archive(uploaded.projectId, uploaded.id, 'individual')
    await world.services.storage.put(zip, 'bytes', 'application/zip')
    const sha256sum = Buffer.from('ab'.repeat(32), 'hex').toString('base64')
    expect(await fate(archive({ ...uploaded, outputMode: 'individual', sha256sum }))).toMatchObject({
      key: zip,
      sha256: 'ab'.repeat(32),
    })
  })

  it('names an upload that landed elsewhere, with the usual cause', async () => {
    const { lost, key: named } = await fate(uploaded)
    expect(lost).toBe(
      'The platform uploaded it, but not to this bucket: check whether another deployment uses the same platform project.',
    )
    expect(named).toBeUndefined()
  })

  it('names a file of another size', async () => {
    await world.services.storage.put(key, 'byte', 'video/mp4')
    expect((await fate(uploaded)).lost).toBe('The bucket holds 4 bytes of the 5 that the platform reports.')
  })

  it.each([
    ['available', '', 'Its upload failed; the platform keeps the file for 72 hours.'],
    ['failed', 'failure', 'The platform could not record or upload it (failure).'],
    ['failed', '', 'The platform could not record or upload it.'],
    ['stopped', 'user initiated', 'It had not arrived when waiting ended; its status is stopped.'],
    ['started', '', 'It had not arrived when waiting ended; its status is started.'],
    ['expired', 'user initiated', 'Its upload failed, and the platform deleted the file after 72 hours.'],
    ['deleted', 'user initiated', 'It was deleted on the platform.'],
  ] as const)('names the reason of one that is %s (%j)', async (status, reason, lost) => {
    expect(await fate(archive({ status, reason }))).toMatchObject({ status, lost })
  })

  it('distinguishes parts that were never started, could not be started, or are gone', async () => {
    expect((await fate(undefined)).lost).toBe('It was never started.')
    expect((await fate(undefined, { problem: 'The session is relayed.' })).lost).toBe('The session is relayed.')
    expect((await fate(undefined, { archiveId: 'b40ef09b' })).lost).toBe('The platform does not know it any more.')
  })
})

describe('archiveOf', () => {
  const [tagged, named, other] = [
    archive({ id: 'a', multiArchiveTag: recording.tag }),
    archive({ id: 'b', multiArchiveTag: undefined, name: recording.tag }),
    archive({ id: 'c', multiArchiveTag: 'one/speakers/1' }),
  ]

  it('finds the archive by id, or by tag after a lost answer', () => {
    expect(archiveOf({ ...recording, archiveId: 'c' }, [tagged, other])).toBe(other)
    expect(archiveOf(recording, [other, tagged])).toBe(tagged)
    expect(archiveOf(recording, [other, named])).toBe(named)
    expect(archiveOf(recording, [other])).toBeUndefined()
  })
})

describe('isUnderWay', () => {
  it('holds until an archive has been delivered or cannot be any more', () => {
    const statuses = ['started', 'paused', 'stopped', 'uploaded', 'available', 'failed', 'expired', 'deleted'] as const
    expect(statuses.filter((status) => isUnderWay(archive({ status })))).toEqual(['started', 'paused', 'stopped'])
  })
})

describe('withOverlaps', () => {
  const part = (number: number, changes = {}) => ({ ...recording, part: number, ...changes })
  const stoppedAt = '2026-11-20T13:00:12.500Z'

  it('returns the overlap with the part that was stopped for it', () => {
    const createdAt = '2026-11-20T13:00:00.000Z'
    const other = { ...part(2), name: 'other', createdAt }
    expect(withOverlaps([part(1, { stoppedAt }), part(2, { createdAt }), part(3, { createdAt }), other])).toEqual([
      part(1, { stoppedAt }),
      part(2, { createdAt, overlap: 12.5 }),
      part(3, { createdAt }),
      other,
    ])
  })

  it('returns no overlap for a part that started later', () => {
    const late = part(2, { createdAt: '2026-11-20T13:01:00.000Z' })
    expect(withOverlaps([part(1, { stoppedAt }), late])[1]).toEqual(late)
  })
})
