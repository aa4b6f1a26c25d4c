import { describe, expect, it } from 'vitest'
import { createMediaWitness } from '../media-witness.ts'
import { openSandbox, type WorldOptions } from '../open-sandbox.ts'
import { createMemoryBucket, uploadTarget } from './memory-bucket.ts'

async function openSession(options: WorldOptions = {}) {
  const world = openSandbox(options)
  const sessionId = await world.createSession()
  await world.join(sessionId, { name: 'Ada' })
  const start = (args = {}) => world.call('startArchive', { sessionId, ...args })
  return { ...world, sessionId, start }
}

describe('archiveHandlers', () => {
  it('shows an archive as requested, with defaults', async () => {
    const { start, sessionId, apiKey, clock } = await openSession()
    const { body } = await start({ name: 'program', multiArchiveTag: 'main', hasVideo: false })
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'program',
      sessionId,
      projectId: Number(apiKey),
      partnerId: Number(apiKey),
      createdAt: clock.now(),
      updatedAt: clock.now(),
      duration: 0,
      hasAudio: true,
      hasVideo: false,
      outputMode: 'composed',
      resolution: '640x480',
      streamMode: 'auto',
      multiArchiveTag: 'main',
      status: 'started',
      reason: '',
      size: 0,
      url: null,
    })
  })

  it.each([
    { hasAudio: false, hasVideo: true, resolution: '1080x1920', layout: { type: 'pip' } },
    { hasAudio: true, hasVideo: false, resolution: '480x640', layout: { type: 'bestFit', screenshareType: 'pip' } },
  ])('records as requested: %j', async (wanted) => {
    const { media, about } = createMediaWitness()
    const { start } = await openSession({ media })
    const { body } = await start(wanted)
    const { layout: _, ...shown } = wanted
    expect(body).toMatchObject(shown)
    expect(about(body.id)).toMatchObject([{ what: 'startArchive', with: wanted }])
  })

  it('starts a second simultaneous archive only under another tag', async () => {
    const { start, call } = await openSession()
    const first = (await start({ multiArchiveTag: 'main' })).body
    expect(await start()).toMatchObject({ status: 409, body: { message: expect.stringContaining('multiArchiveTag') } })
    expect(await start({ multiArchiveTag: 'main' })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('in use') },
    })
    expect(await start({ multiArchiveTag: 'backup' })).toMatchObject({ status: 200 })
    await call('stopArchive', { archiveId: first.id })
    expect(await start({ multiArchiveTag: 'main' })).toMatchObject({ status: 200 })
  })

  it('starts only one of two simultaneous requests under one tag', async () => {
    const { start } = await openSession()
    const answers = await Promise.all([start({ multiArchiveTag: 'main' }), start({ multiArchiveTag: 'main' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('uses a tag again in another session', async () => {
    const { start, call, join, createSession } = await openSession()
    await start({ multiArchiveTag: 'main' })
    const sessionId = await createSession()
    await join(sessionId)
    expect(await call('startArchive', { sessionId, multiArchiveTag: 'main' })).toMatchObject({ status: 200 })
  })

  it('changes the layout of a running archive', async () => {
    const { media, about } = createMediaWitness()
    const { start, call } = await openSession({ media })
    const { id } = (await start()).body
    const layout = { type: 'horizontalPresentation' }
    expect(await call('setArchiveLayout', { archiveId: id, ...layout })).toEqual({ status: 200, body: {} })
    expect(about(id).at(-1)).toMatchObject({ what: 'setLayout', with: layout })
  })

  it.each([
    [{ type: 'custom' }, 'stylesheet is required with type custom.'],
    [{ type: 'pip', stylesheet: 'stream {}' }, 'stylesheet is only allowed with type custom.'],
    [{ type: 'pip', screenshareType: 'pip' }, 'screenshareType is only allowed with type bestFit and no stylesheet.'],
    [{ type: 'mosaic' }, expect.stringMatching(/^type: .*"bestFit"/)],
  ])('refuses the layout %j', async (layout, message) => {
    const { start, call } = await openSession()
    const answer = await call('setArchiveLayout', { archiveId: (await start()).body.id, ...layout })
    expect(answer).toEqual({ status: 400, body: { code: 400, message } })
  })

  describe('of a file for each stream', () => {
    it('have neither resolution nor layout', async () => {
      const { media, about } = createMediaWitness()
      const { start, call, clock } = await openSession({ media })
      const { body } = await start({ outputMode: 'individual', name: 'program', hasVideo: false, streamMode: 'manual' })
      expect(body).toMatchObject({ outputMode: 'individual', streams: [], hasVideo: false })
      expect(body).not.toHaveProperty('resolution')
      expect(about(body.id)).toMatchObject([
        {
          what: 'startIndividualArchive',
          with: { name: 'program', createdAt: clock.now(), hasVideo: false, streams: [] },
        },
      ])
      expect(await call('setArchiveLayout', { archiveId: body.id, type: 'pip' })).toEqual({
        status: 400,
        body: { code: 400, message: 'The archive is individual: only a composed one has a layout.' },
      })
    })

    it.each([{ resolution: '640x480' }, { layout: { type: 'pip' } }])('are refused with %j', async (args) => {
      const { start } = await openSession()
      const message = `${Object.keys(args)[0]} is only for outputMode composed.`
      expect(await start({ outputMode: 'individual', ...args })).toEqual({ status: 400, body: { code: 400, message } })
    })

    it('are downloaded and uploaded as archive.zip', async () => {
      const bucket = createMemoryBucket()
      const { start, call, clock, sandbox, apiKey } = await openSession({ uploadHandler: bucket.handler })
      const record = async () => {
        const archiveId = (await start({ outputMode: 'individual' })).body.id
        await clock.advance(10_000)
        await call('stopArchive', { archiveId })
        await sandbox.settled()
        return (await call('getArchive', { archiveId })).body
      }
      const { url } = await record()
      expect(url).toMatch(/\/archive\.zip$/)
      const response = await sandbox.fetch(new Request(url))
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
      expect((await sandbox.fetch(new Request(url.replace(/zip$/, 'mp4')))).status).toBe(404)

      await call('setUploadTarget', uploadTarget())
      const { id, status } = await record()
      expect(status).toBe('uploaded')
      expect([...bucket.objects.keys()]).toEqual([`/recordings/${apiKey}/${id}/archive.zip`])
      expect(bucket.requests[0]?.headers['content-type']).toBe('application/zip')
    })
  })

  describe('deletion', () => {
    const stopAndSettle = async ({ start, call, sandbox }: Awaited<ReturnType<typeof openSession>>) => {
      const archiveId = (await start()).body.id
      await call('stopArchive', { archiveId })
      await sandbox.settled()
      return { archiveId, before: (await call('getArchive', { archiveId })).body }
    }

    it('removes an available archive from the list, with its file and its expiry', async () => {
      const world = await openSession()
      const { call, clock, sandbox } = world
      const { archiveId, before } = await stopAndSettle(world)
      expect(before.status).toBe('available')
      expect(await call('deleteArchive', { archiveId })).toEqual({ status: 204, body: '' })
      await sandbox.settled()
      expect((await sandbox.fetch(new Request(before.url))).status).toBe(404)
      expect((await call('listArchives')).body).toEqual({ count: 0, items: [] })
      await clock.advance(73 * 3_600_000)
      const after = (await call('getArchive', { archiveId })).body
      expect(after).toMatchObject({ status: 'deleted', reason: 'user initiated', url: null })
      expect(await call('deleteArchive', { archiveId })).toEqual({ status: 204, body: '' })
    })

    it('leaves an uploaded file in place', async () => {
      const bucket = createMemoryBucket()
      const world = await openSession({ uploadHandler: bucket.handler })
      await world.call('setUploadTarget', uploadTarget())
      const { archiveId, before } = await stopAndSettle(world)
      expect(before.status).toBe('uploaded')
      expect(await world.call('deleteArchive', { archiveId })).toMatchObject({ status: 204 })
      expect(bucket.objects.size).toBe(1)
    })

    it('is refused while recording, once expired, and for an unknown archive', async () => {
      const world = await openSession()
      const { call, clock, start } = world
      const running = (await start({ multiArchiveTag: 'other' })).body.id
      expect(await call('deleteArchive', { archiveId: running })).toMatchObject({ status: 409 })
      await call('stopArchive', { archiveId: running })
      const { archiveId } = await stopAndSettle(world)
      await clock.advance(72 * 3_600_000)
      expect(await call('deleteArchive', { archiveId })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('expired') },
      })
      for (const unknown of ['00000000-0000-4000-8000-000000000000', 'mine'])
        expect(await call('deleteArchive', { archiveId: unknown })).toMatchObject({ status: 403, body: { code: 403 } })
    })
  })

  it('lists newest first, by page and by session, with the total as the count', async () => {
    const { start, call, join, createSession, sessionId } = await openSession()
    const ids: string[] = []
    for (const tag of ['a', 'b', 'c']) ids.unshift((await start({ multiArchiveTag: tag })).body.id)
    const other = await createSession()
    await join(other)
    const last = (await call('startArchive', { sessionId: other })).body.id
    const list = async (args = {}) => {
      const { count, items } = (await call('listArchives', args)).body
      return { count, ids: items.map((item: { id: string }) => item.id) }
    }
    expect(await list()).toEqual({ count: 4, ids: [last, ...ids] })
    expect(await list({ offset: 1, count: 2 })).toEqual({ count: 4, ids: ids.slice(0, 2) })
    expect(await list({ sessionId })).toEqual({ count: 3, ids })
    expect(await list({ offset: 9 })).toEqual({ count: 4, ids: [] })
    expect(await list({ sessionId: 'none' })).toEqual({ count: 0, ids: [] })
  })
})
