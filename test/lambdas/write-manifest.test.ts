import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, START_TIME, type World } from '../support/world.ts'
import { run } from './run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const key = `100001/${archiveId}/archive.mp4`
const inspection = {
  archiveId,
  size: 9,
  facts: { duration: 20.02, video: { codec: 'h264', width: 640, height: 480, frameRate: 30 }, audio: null },
  record: { status: 'uploaded', size: 9, duration: 20, createdAt: '2026-11-20T08:00:00.000Z' },
  differences: [] as string[],
} as const
const files = [{ role: 'poster' as const, key: `recordings/${archiveId}/poster.jpg`, size: 5, sha256: 'aa' }]
const failure = { Error: 'MediaError', Cause: '{"errorMessage":"The file is cut off."}' }

type Input = Parameters<typeof run<'writeManifest'>>[2]
const write = (changes: Partial<Input> = {}) =>
  run(world, 'writeManifest', {
    bucket: 'media',
    key,
    etag: 'e1',
    inspection: { ...inspection, differences: [] },
    sha256: 'bb',
    files,
    failure: null,
    ...changes,
  })
const manifest = () => world.services.records.readManifest(archiveId)
const listed = async () => (await world.services.records.listRecordings({ limit: 10 })).items

describe('writeManifest', () => {
  it('publishes a recording with what it holds, and tells the owner', async () => {
    expect(await write()).toEqual({ archiveId, status: 'complete' })
    expect(await manifest()).toEqual({
      version: 1,
      archiveId,
      createdAt: '2026-11-20T08:00:00.000Z',
      status: 'complete',
      source: { key, size: 9, sha256: 'bb' },
      ...inspection.facts,
      files,
    })
    expect(world.told).toMatchObject([
      { 'detail-type': 'recording.published', detail: { id: `${archiveId}/e1`, archiveId, status: 'complete' } },
    ])
  })

  it('says where the file differs from the platform’s record', async () => {
    const differences = ['It has 9 bytes, the platform says 8.', 'It has no audio, against the platform’s word.']
    expect((await write({ inspection: { ...inspection, differences } })).message).toBe(differences.join(' '))
  })

  it('publishes nothing but the reason when publishing failed', async () => {
    await world.services.storage.put(key, '123456789', 'video/mp4')
    expect(await write({ inspection: null, sha256: null, files: [], failure })).toEqual({
      archiveId,
      status: 'failed',
      message: 'The file is cut off.',
    })
    expect(await manifest()).toMatchObject({
      createdAt: START_TIME,
      source: { key, size: 9, sha256: null },
      duration: 0,
      video: null,
      files: [],
    })
    expect(world.told).toMatchObject([{ detail: { status: 'failed' } }])
  })

  it('leaves out the files of a publish that failed later', async () => {
    expect(await write({ failure })).toMatchObject({ status: 'failed' })
    expect((await manifest())?.files).toEqual([])
    expect((await manifest())?.video).toEqual(inspection.facts.video)
  })

  it('lists a recording once, also when it failed at first', async () => {
    await write({ inspection: null, sha256: null, files: [], failure })
    await world.clock.advance(60_000)
    await write()
    await world.clock.advance(60_000)
    await write()
    expect(await listed()).toEqual([archiveId])
    expect((await manifest())?.status).toBe('complete')
  })

  it('tells again with the same id when it is repeated', async () => {
    await write()
    await write()
    expect(world.told.map(({ detail }) => (detail as { id: string }).id)).toEqual([
      `${archiveId}/e1`,
      `${archiveId}/e1`,
    ])
  })

  it('refuses a key that is none of an archive', async () => {
    await expect(write({ key: 'uploads/archive.mp4' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'uploads/archive.mp4 is not the key of an archive.',
    })
  })
})
