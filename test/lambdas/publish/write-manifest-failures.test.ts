import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { START_TIME, type World } from '../../support/world.ts'
import { archiveId, failure, files, inspection, key, openManifestWriting } from './manifest-writing.ts'

type Writing = Awaited<ReturnType<typeof openManifestWriting>>
let world: World
let write: Writing['write']
let put: Writing['put']
beforeEach(async () => {
  ;({ world, write, put } = await openManifestWriting())
})
afterEach(() => world.close())

const manifest = () => world.services.records.readManifest(archiveId)

describe('writeManifest, of what could not be made', () => {
  it('publishes nothing but the reason when publishing failed', async () => {
    const etag = await put('123456789')
    expect(await write({ etag, inspection: null, hashes: null, files: [], failure })).toEqual({
      archiveId,
      status: 'failed',
      message: 'The file is cut off.',
    })
    expect(await manifest()).toMatchObject({
      createdAt: START_TIME,
      source: { key, size: 9, sha256: null },
      duration: null,
      video: null,
      files: [],
    })
    expect(world.ownerEvents).toMatchObject([{ detail: { status: 'failed' } }])
  })

  it('keeps what could be watched already when the rest could not be made', async () => {
    await write({ stage: 'ready', hashes: null })
    expect(await write({ files: [], failure })).toMatchObject({ status: 'failed' })
    expect(await manifest()).toMatchObject({ status: 'failed', message: 'The file is cut off.', files })
    expect((await manifest())?.video).toEqual(inspection.facts.video)
  })

  it('takes nothing away when making it once more fails, and says so', async () => {
    await write()
    expect(await write({ files: [], failure })).toMatchObject({ status: 'failed', message: 'The file is cut off.' })
    expect(await manifest()).toMatchObject({ status: 'complete', message: 'The file is cut off.', files })
  })

  const lost = (format: 'thumbnails' | 'audio') => ({ format, problem: `No ${format}: it is damaged.` })

  it('names the missing formats of a damaged recording, but none that was not requested', async () => {
    const wanted = { ...inspection, formats: ['poster' as const, 'thumbnails' as const], differences: ['It differs.'] }
    const message = 'It differs. No thumbnails: it is damaged.'
    expect(await write({ inspection: wanted, missing: [lost('thumbnails'), lost('audio')] })).toEqual({
      ...{ archiveId, status: 'complete', message },
    })
    expect(await manifest()).toMatchObject({ status: 'complete', message, missing: [lost('thumbnails')], files })
    expect(world.ownerEvents).toMatchObject([{ detail: { status: 'complete', reason: message } }])
  })

  it('names a missing format until it is made', async () => {
    const thumbnails = { ...inspection, formats: ['thumbnails' as const] }
    const sprite = {
      role: 'sprite' as const,
      key: `recordings/${archiveId}/thumbnails/e/sprite.jpg`,
      size: 4,
      sha256: 'd',
    }
    await write({ inspection: thumbnails, files: [sprite] })
    await write({ inspection: thumbnails, files: [], missing: [lost('thumbnails')] })
    expect((await manifest())?.files).toEqual([sprite]) // what is there of it was once made of the same file
    await write()
    expect(await manifest()).toMatchObject({ message: lost('thumbnails').problem, missing: [lost('thumbnails')] })
    expect(await write({ files: [], failure })).toMatchObject({ message: 'The file is cut off.' })
    expect(await manifest()).toMatchObject({ missing: [lost('thumbnails')] })
    await write({ inspection: thumbnails, files: [sprite] })
    expect(await manifest()).not.toHaveProperty('missing')
  })

  it('replaces what was made of a format, although not all of it could be', async () => {
    const [poster] = files as [(typeof files)[number]]
    const track = (name: string) => ({ ...poster, role: 'audio' as const, key: `recordings/${archiveId}/${name}` })
    const audio = { ...inspection, formats: ['audio' as const] }
    await write({ inspection: audio, files: [track('before')] })
    await write({ inspection: audio, files: [track('after')], missing: [lost('audio')] })
    expect((await manifest())?.files).toEqual([track('after')])
  })

  it('keeps what is known of a published recording when its rebuild fails, also before the inspection', async () => {
    const streams = [
      {
        file: 'one.webm',
        streamId: 'one',
        size: 9,
        start: 0,
        stop: 20,
        hasVideo: true,
        hasAudio: false,
        videoType: 'camera',
      },
    ]
    await write({ inspection: { ...inspection, streams } })
    const published = await manifest()
    await world.clock.advance(60_000)
    for (const found of [null, { ...inspection, facts: null, record: undefined, streams: [] }]) {
      await write({ inspection: found, hashes: null, files: [], failure })
      const { createdAt, duration, video, audio, streams: kept, files: left } = (await manifest()) ?? {}
      expect({ createdAt, duration, video, audio, streams: kept, files: left }).toEqual({
        ...{ createdAt: published?.createdAt, duration: 20.02, video: published?.video, audio: null },
        ...{ streams: published?.streams, files: published?.files },
      })
    }
  })
})
