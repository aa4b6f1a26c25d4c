import { describe, expect, it } from 'vitest'
import { readClip, writeClip } from '../../../lib/records/clip-records.ts'
import { event, openOwnerApp, url } from './owner-app.ts'

const clipId = '0123456789abcdef'

describe('notifyOwner, by the records of the show', () => {
  it('posts the event of the records, without anything else that is on the bus', async () => {
    const { posts, notify } = await openOwnerApp()
    await notify({
      ...event,
      at: '2020-01-01T00:00:00.000Z',
      reason: 'Forged.',
      labels: { course: 'forged' },
      hls: 'a:b',
    })
    expect(await posts[0]?.json()).toEqual(event)
  })

  it.each([
    ['never happened', { id: 'a-show/show.ended///', event: 'show.ended', status: 'failed' }],
    ['belongs to another show', { id: 'b-show/recording.started/program/1/' }],
    ['is not for owners', { id: 'a-show/upload.targetSet///' }],
    ['names an unpublished recording', { id: 'a-show/recording.published/program/1/x/complete', archiveId: 'unknown' }],
  ])('posts no forged event that %s', async (_what, forged) => {
    const { world, posts, acceptLive, notify } = await openOwnerApp()
    await acceptLive({ url }, 'b-show')
    await world.services.shows.note('a-show', { what: 'upload.targetSet' })
    await expect(notify({ ...event, callback: true, ...forged })).rejects.toMatchObject({
      name: 'EventNotRecordedError',
      message: expect.stringContaining(`The records of the show a-show do not hold the event ${forged.id}`),
    })
    expect(posts).toEqual([])
  })

  it('posts the publication of a recording from its manifest', async () => {
    const { world, posts, acceptLive, notify } = await openOwnerApp()
    const id = 'a-show/recording.published/program/1/an-execution/complete'
    const show = { showId: 'a-show', name: 'program', part: 1 }
    const publications = [{ executionName: 'an-execution', status: 'complete', at: event.at, message: 'No chapters.' }]
    await world.services.storage.writeDocument(
      'recordings/an-archive/manifest.json',
      {
        ...{ version: 1, archiveId: 'an-archive', createdAt: event.at, show, status: 'complete', publications },
        ...{ source: { key: '1/an-archive/archive.mp4', size: 1, sha256: null }, duration: null, video: null },
        ...{ audio: null, files: [] },
      },
      undefined,
    )
    const delivery = { id, showId: 'a-show', archiveId: 'an-archive' }
    expect(await notify(delivery)).toMatchObject({ outcome: 'accepted' })
    const published = { status: 'complete', reason: 'No chapters.', archiveId: 'an-archive' }
    expect(await posts[0]?.json()).toEqual({ ...event, id, event: 'recording.published', ...published })
    await acceptLive({ url }, 'b-show')
    await expect(notify({ ...delivery, showId: 'b-show' })).rejects.toMatchObject({ name: 'EventNotRecordedError' })
  })

  it('posts the publication of a clip from its record, once the record has the outcome', async () => {
    const { world, posts, notify } = await openOwnerApp()
    const { storage, records } = world.services
    const show = { showId: 'a-show', name: 'program', part: 1 }
    const about = { version: 1, archiveId: 'an-archive', createdAt: event.at } as const
    await records.writeManifest(
      {
        ...{ ...about, show, status: 'complete', access: 'signed', files: [], duration: 9, video: null, audio: null },
        source: { key: '1/an-archive/archive.mp4', size: 1, sha256: null },
      },
      async () => true,
    )
    const clip = { ...about, clipId, name: 'Demo', from: 1, to: 2, status: 'cutting' as const }
    await writeClip(storage, clip, { keepDays: null })
    const id = `a-show/clip.published/an-archive/${clipId}`
    const delivery = { id, showId: 'a-show', archiveId: 'an-archive' }
    await expect(notify(delivery)).rejects.toMatchObject({ name: 'EventNotRecordedError' })
    const { etag = '' } = (await readClip(storage, 'an-archive', clipId)) ?? {}
    const outcome = { status: 'failed' as const, endedAt: event.at, problem: 'It is damaged.' }
    await writeClip(storage, { ...clip, ...outcome }, { etag, keepDays: null })
    expect(await notify(delivery)).toMatchObject({ outcome: 'accepted' })
    const published = { archiveId: 'an-archive', clipId, status: 'failed', reason: 'It is damaged.' }
    expect(await posts[0]?.json()).toEqual({ ...event, id, event: 'clip.published', ...published })
  })

  it('posts the publication of a clip of a live show', async () => {
    const { world, posts, notify } = await openOwnerApp()
    const live = {
      ...{ showId: 'a-show', broadcast: 'live', part: 1, startedAt: event.at, keepDays: null },
      access: 'signed' as const,
      picture: { width: 640, height: 480 },
    } as const
    const clip = { version: 1, archiveId: 'a-broadcast', clipId, name: 'Demo', from: 1, to: 2, live } as const
    const outcome = { createdAt: event.at, endedAt: event.at, status: 'published' } as const
    await writeClip(world.services.storage, { ...clip, ...outcome }, { keepDays: null })
    const id = `a-show/clip.published/a-broadcast/${clipId}`
    expect(await notify({ id, showId: 'a-show' })).toMatchObject({ outcome: 'accepted' })
    const published = { name: 'live', clipId, status: 'published' }
    expect(await posts[0]?.json()).toEqual({ ...event, id, event: 'clip.published', ...published })
  })

  it('posts the failure of a clip whose recording is lost, and so has no manifest', async () => {
    const { world, posts, notify } = await openOwnerApp()
    const queued = { showId: 'a-show', broadcast: 'live', recording: 'program', part: 1, offset: 0, keepDays: null }
    const clip = { version: 1, archiveId: 'an-archive', clipId, name: 'Demo', from: 1, to: 2, queued } as const
    const outcome = { createdAt: event.at, endedAt: event.at, status: 'failed', problem: 'It is lost.' } as const
    await writeClip(world.services.storage, { ...clip, ...outcome }, { keepDays: null })
    const id = `a-show/clip.published/an-archive/${clipId}`
    expect(await notify({ id, showId: 'a-show', archiveId: 'an-archive' })).toMatchObject({ outcome: 'accepted' })
    expect(await posts[0]?.json()).toMatchObject({
      id,
      event: 'clip.published',
      status: 'failed',
      reason: 'It is lost.',
    })
  })
})
