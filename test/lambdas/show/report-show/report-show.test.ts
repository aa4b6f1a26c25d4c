import { describe, expect, it } from 'vitest'
import { webinar } from '../../../support/world.ts'
import { run, runAnyhow } from '../../run.ts'
import { openReporting, PLANNED_END } from './reported-show.ts'

describe('reportShow', () => {
  it('writes a result with all outcomes, and notifies the owner', async () => {
    const { world, report, result, eventsOf, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned, recordings, broadcasts } = await openLiveShow()
    await stopAsPlanned()
    await run(world, 'checkUploads', { showId: 'a-show', sessionId })
    const outcome = { showId: 'a-show', status: 'succeeded', reason: PLANNED_END }
    expect(await report({ sessionId, reason: PLANNED_END })).toEqual(outcome)
    const written = await result()
    expect(written).toMatchObject({
      name: 'Launch webinar',
      status: 'succeeded',
      sessionId,
      endedAt: world.now(),
      reportedAt: world.now(),
      broadcasts: [{ name: 'live', broadcastId: broadcasts[0]?.broadcastId, status: 'stopped' }],
    })
    expect(written?.recordings).toMatchObject(
      recordings.map(({ archiveId }) => ({ archiveId, status: 'uploaded', reason: 'user initiated', duration: 20 })),
    )
    for (const { key = '', size } of written?.recordings ?? [])
      expect(await world.services.storage.sizeOf(key), key).toBe(size)
    expect(written?.timeline.map(({ what, name }) => [what, name].filter(Boolean).join(' '))).toEqual([
      'session.opened',
      'upload.targetSet',
      'recording.started program',
      'recording.started speakers',
      'broadcast.started live',
      'show.ending',
      'recording.arrived program',
      'recording.arrived speakers',
      'show.ended',
    ])
    expect((await world.services.records.readState('a-show'))?.status).toBe('succeeded')
    expect(eventsOf('show.ended')).toMatchObject([{ id: 'a-show/show.ended///', ...outcome }])
  })

  it('keeps the first result, and notifies once', async () => {
    const { world, report, result, eventsOf, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await stopAsPlanned()
    await report({ sessionId, reason: PLANNED_END })
    const first = await result()
    await world.clock.advance(1_000)
    expect(await report({ sessionId, failure: { Error: 'Late' } })).toMatchObject({ status: 'succeeded' })
    expect(await result()).toEqual(first)
    expect(eventsOf('show.ended')).toHaveLength(1)
  })

  it('notifies the owner when it is repeated after an outage of the bus', async () => {
    const { world, report, eventsOf, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await stopAsPlanned()
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.startsWith('AWSEvents') ? new Response(null, { status: 500 }) : pass()
    await expect(report({ sessionId })).rejects.toMatchObject({ name: 'ServiceError' })
    expect(eventsOf('show.ended')).toEqual([])
    world.interceptors.aws = (_request, pass) => pass()
    await report({ sessionId })
    expect(eventsOf('show.ended')).toMatchObject([{ status: 'succeeded' }])
  })

  it('writes labels, scenes, dial-ins and outputs, and names their problems', async () => {
    const { world, report, result, stop, openLiveShow } = openReporting()
    world.keepShowSecret('keys', { one: 'a stream key' })
    const rtmp = [{ id: 'dead', serverUrl: 'rtmp://nowhere.invalid/app', streamName: { secret: 'keys#one' } }]
    const { sessionId } = await openLiveShow({
      ...webinar,
      labels: { course: '7' },
      scenes: [{ name: 'page', url: 'https://crash.invalid/page' }],
      dialIns: [{ name: 'studio', uri: 'sip:answer@example.com' }],
      broadcasts: [{ name: 'sent', rtmp }],
    })
    await run(world, 'startScene', { showId: 'a-show', sessionId, name: 'page' })
    await run(world, 'startDialIn', { showId: 'a-show', sessionId, name: 'studio' })
    await world.clock.advance(20_000)
    await run(world, 'watchShow', { showId: 'a-show', sessionId })
    await stop({ sessionId, reason: 'It ended.' })
    expect(await report({ sessionId })).toMatchObject({
      status: 'degraded',
      reason: `${PLANNED_END} The output dead of the broadcast sent was offline. The scene page failed. The page crashed.`,
    })
    const written = await result()
    expect(written).toMatchObject({
      labels: { course: '7' },
      scenes: [{ name: 'page', status: 'failed', reason: 'The page crashed.' }],
      dialIns: [{ name: 'studio', status: 'ended' }],
      broadcasts: [{ name: 'sent', status: 'stopped', rtmp: [{ id: 'dead', status: 'offline' }] }],
    })
    expect(JSON.stringify(written)).not.toMatch('a stream key')
  })

  it('reports that the outcome of a dial is unknown if the dial was interrupted', async () => {
    const { world, report, result, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    const askedAt = world.now()
    await world.services.shows.update('a-show', (state) => ({ ...state, dialIns: [{ name: 'phone', askedAt }] }))
    await stopAsPlanned()
    const { reason } = await report({ sessionId, reason: PLANNED_END })
    expect(reason).toContain('The outcome of the dial-in phone is unknown.')
    expect(await result()).toMatchObject({ dialIns: [{ name: 'phone', askedAt, status: 'unknown' }] })
    const { dialIns, timeline } = await world.services.shows.state('a-show')
    expect(dialIns).toMatchObject([{ status: 'unknown' }])
    expect(timeline.map(({ what }) => what)).toContain('dialIn.unknown')
  })

  it('reports size, checksum and overlap of each part', async () => {
    const { world, report, result, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    const rollOver = (recordings: { start: object[]; stop: object[] }) => {
      const due = { recordings, broadcasts: { start: [], stop: [] } }
      return runAnyhow(world, 'rollOver', { showId: 'a-show', sessionId, due })
    }
    await rollOver({ start: [{ name: 'program', part: 2 }], stop: [] })
    await world.clock.advance(12_000)
    await rollOver({ start: [], stop: [{ name: 'program', part: 1 }] })
    await world.clock.advance(30_000)
    await stopAsPlanned()
    expect(await report({ sessionId })).toMatchObject({ status: 'succeeded' })
    const recordings = (await result())?.recordings ?? []
    expect(recordings.map(({ name, part, overlap, duration }) => [name, part, overlap, duration])).toEqual([
      ['program', 1, undefined, 32],
      ['program', 2, 12, 42],
      ['speakers', 1, undefined, 62],
    ])
    for (const { key = '', size, sha256 } of recordings) {
      expect(await world.services.storage.sizeOf(key)).toBe(size)
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it('lists the archives that the platform started automatically', async () => {
    const { report, result, stop, openLiveShow } = openReporting()
    const { sessionId } = await openLiveShow({ ...webinar, session: { archiveMode: 'always' } })
    await stop({ sessionId, reason: 'It ended.' })
    await report({ sessionId })
    expect(await result()).toMatchObject({
      status: 'succeeded',
      reason: 'It ended. The session is recorded automatically until the last participant leaves.',
    })
    expect((await result())?.automaticArchives).toEqual([
      { archiveId: expect.any(String), createdAt: expect.any(String), status: 'started', size: 0, duration: 0 },
    ])
  })

  it('includes an archive that was started for the show and is not in its state', async () => {
    const { world, report, result, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    const multiArchiveTag = 'a-show/program/2'
    const { body } = await world.platform.call('startArchive', { sessionId, multiArchiveTag })
    await stopAsPlanned()
    await report({ sessionId })
    expect((await result())?.recordings[1]).toMatchObject({ name: 'program', part: 2, archiveId: body.id })
  })

  it('leaves links to files out of the result', async () => {
    const { world, report, result, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await world.aimUploads('elsewhere')
    await stopAsPlanned()
    await report({ sessionId })
    const { body } = await world.platform.call('listArchives', { sessionId })
    expect(body.items[0].url).toMatch(/^http/)
    expect(JSON.stringify(await result())).not.toMatch(/"url"/)
  })

  it('refuses a show that does not exist', async () => {
    await expect(openReporting().report({ sessionId: null })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^There is no show/),
    })
  })
})
