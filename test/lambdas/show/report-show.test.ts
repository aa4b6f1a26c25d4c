import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, openShow, run, runAnyhow, settled } from '../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

type End = { sessionId: string | null; reason?: string | null; failure?: { Error: string; Cause?: string } | null }
const report = ({ sessionId, reason = null, failure = null }: End) =>
  run(world, 'reportShow', { showId: 'a-show', sessionId, reason, failure })
const reported = () =>
  world.ownerEvents.filter((event) => event['detail-type'] === 'show.ended').map(({ detail }) => detail)
const result = () => world.services.records.readResult('a-show')

async function endedShow() {
  const show = await bringLive(world)
  await world.clock.advance(20_000)
  return {
    ...show,
    async stop() {
      const { sessionId } = show
      await run(world, 'stopShow', {
        showId: 'a-show',
        sessionId,
        reason: 'The planned end was reached.',
        failure: null,
      })
      await settled(world)
    },
  }
}

describe('reportShow', () => {
  it('says that the outcome of a dial is unknown if the dial was interrupted', async () => {
    const { sessionId, stop } = await endedShow()
    const askedAt = world.now()
    await world.services.shows.update('a-show', (state) => ({ ...state, dialIns: [{ name: 'phone', askedAt }] }))
    await stop()
    await run(world, 'checkUploads', { showId: 'a-show', sessionId })
    const { reason } = await report({ sessionId, reason: 'The planned end was reached.' })
    expect(reason).toContain('The outcome of the dial-in phone is unknown.')
    expect(await result()).toMatchObject({ dialIns: [{ name: 'phone', askedAt, status: 'unknown' }] })
    const { dialIns, timeline } = await world.services.shows.state('a-show')
    expect(dialIns).toMatchObject([{ status: 'unknown' }])
    expect(timeline.map(({ what }) => what)).toContain('dialIn.unknown')
  })

  it('writes a result with all outcomes, and notifies the owner', async () => {
    const { sessionId, stop, recordings, broadcasts } = await endedShow()
    await stop()
    await run(world, 'checkUploads', { showId: 'a-show', sessionId })
    expect(await report({ sessionId, reason: 'The planned end was reached.' })).toEqual({
      showId: 'a-show',
      status: 'succeeded',
      reason: 'The planned end was reached.',
    })
    const written = await result()
    expect(written).toMatchObject({
      name: 'Launch webinar',
      status: 'succeeded',
      sessionId,
      endedAt: world.now(),
      reportedAt: world.now(),
      broadcasts: [{ name: 'live', broadcastId: broadcasts[0]?.broadcastId, status: 'stopped' }],
    })
    for (const [index, recording] of (written?.recordings ?? []).entries()) {
      const archiveId = recordings[index]?.archiveId
      expect(recording).toMatchObject({ archiveId, status: 'uploaded', reason: 'user initiated', duration: 20 })
      expect(await world.services.storage.sizeOf(recording.key ?? '')).toBe(recording.size)
    }
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
    expect(reported()).toMatchObject([
      { id: 'a-show/show.ended///', showId: 'a-show', status: 'succeeded', reason: 'The planned end was reached.' },
    ])
  })

  it('reports a show that was stopped while it was starting as stopped, without losses', async () => {
    const { sessionId } = await openShow(world)
    const showId = 'a-show'
    await world.platform.join(sessionId)
    const program = await run(world, 'startRecording', { showId, sessionId, name: 'program' })
    await world.services.shows.update(showId, (state) => ({ ...state, stopAskedAt: world.now() }))
    const error = await run(world, 'startRecording', { showId, sessionId, name: 'speakers' }).catch(
      ({ name, message }: Error) => ({ Error: name, Cause: JSON.stringify({ errorMessage: message }) }),
    )
    expect(error).toMatchObject({ Error: 'ShowStoppedError' })
    const recordings = [program, { name: 'speakers', error: error as { Error: string; Cause: string } }]
    await run(world, 'goLive', { showId, sessionId, recordings, broadcasts: [] })
    await world.clock.advance(1_000)
    await run(world, 'stopShow', { showId, sessionId, reason: null, failure: null })
    await settled(world)
    await run(world, 'checkUploads', { showId, sessionId })
    expect(await report({ sessionId })).toMatchObject({ status: 'stopped', reason: 'It was stopped on request.' })
    expect((await result())?.recordings).toMatchObject([
      { status: 'uploaded' },
      { name: 'speakers', lost: 'It was never started.' },
    ])
    expect(world.ownerEvents.map((event) => event['detail-type'])).not.toContain('recording.failed')
  })

  it('keeps the first result, and notifies once', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    await report({ sessionId, reason: 'The planned end was reached.' })
    const first = await result()
    await world.clock.advance(1_000)
    expect(await report({ sessionId, failure: { Error: 'Late' } })).toMatchObject({ status: 'succeeded' })
    expect(await result()).toEqual(first)
    expect(reported()).toHaveLength(1)
  })

  it('notifies the owner after an outage of the bus', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.startsWith('AWSEvents') ? new Response(null, { status: 500 }) : pass()
    await expect(report({ sessionId })).rejects.toMatchObject({ name: 'ServiceError' }) // which is repeated
    world.interceptors.aws = (_request, pass) => pass()
    await report({ sessionId })
    expect(reported()).toMatchObject([{ status: 'succeeded' }])
  })

  it('names each recording that is lost, and why', async () => {
    const { sessionId, stop } = await endedShow()
    await world.aimUploads('elsewhere')
    await stop()
    await world.clock.advance(60_000) // the platform's own attempts
    const why = 'Its upload failed; the platform keeps the file for 72 hours.'
    expect(await report({ sessionId })).toMatchObject({
      status: 'failed',
      reason: `The planned end was reached. The recording program is lost. ${why} The recording speakers is lost. ${why}`,
    })
    expect((await result())?.recordings).toMatchObject([{ lost: why }, { lost: why }])
    const failures = world.ownerEvents.filter((event) => event['detail-type'] === 'recording.failed')
    expect(failures.map(({ detail }) => detail)).toMatchObject([{ name: 'program', reason: why }, { name: 'speakers' }])
  })

  it('names the lost part of a recording that continued', async () => {
    const { sessionId, stop, recordings } = await endedShow()
    const due = { recordings: { start: [{ name: 'program', part: 2 }], stop: [] }, broadcasts: { start: [], stop: [] } }
    await run(world, 'rollOver', { showId: 'a-show', sessionId, due })
    await stop()
    const stored = (await world.services.storage.list('', { limit: 1_000 })).keys
    await world.services.storage.delete(stored.find((key) => key.includes(recordings[0]?.archiveId ?? '')) ?? '')
    expect((await report({ sessionId })).reason).toMatch(
      /Part 1 of the recording program is lost\. The platform .+ project; the recording continued in part 2\.$/,
    )
  })

  it('names an upload that landed in another bucket', async () => {
    const { sessionId, stop } = await endedShow()
    world.createBucket('elsewhere')
    await world.aimUploads('elsewhere')
    await stop()
    expect((await report({ sessionId })).reason).toMatch('not to this bucket')
  })

  it('names what had not arrived in time', async () => {
    const { sessionId } = await endedShow()
    expect((await report({ sessionId })).reason).toMatch(
      'It had not arrived when waiting ended; its status is started.',
    )
  })

  it('lets no link to a file out of the platform’s record', async () => {
    const { sessionId, stop } = await endedShow()
    await world.aimUploads('elsewhere')
    await stop()
    await report({ sessionId })
    const { body } = await world.platform.call('listArchives', { sessionId })
    expect(body.items[0].url).toMatch(/^http/)
    expect(JSON.stringify(await result())).not.toMatch(/"url"/)
  })

  it('begins the reason with why a show never went live', async () => {
    const { sessionId } = await openShow(world)
    const { status, reason } = await report({ sessionId, reason: 'Nobody connected within 900 seconds.' })
    expect(status).toBe('failed')
    expect(reason).toMatch(
      /^Nobody connected within 900 seconds\. The recording program is lost\. It was never started\./,
    )
  })

  it('reports a show whose session could not be opened', async () => {
    await world.accept()
    const failure = { Error: 'PlatformAuthError', Cause: '{"errorMessage":"Check the API key."}' }
    expect(await report({ sessionId: null, failure })).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^Check the API key\./),
    })
    expect((await result())?.recordings).toMatchObject([{ lost: 'The session was never opened.' }, {}])
    expect(world.calls).toEqual([])
  })

  it('fails a show whose execution failed, though its files have arrived', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    expect(await report({ sessionId, failure: { Error: 'States.Timeout' } })).toMatchObject({
      status: 'failed',
      reason: 'A task took too long and was stopped.',
    })
    expect((await result())?.recordings.map(({ lost }) => lost)).toEqual([undefined, undefined])
  })

  it('names a show that is not there', async () => {
    await expect(report({ sessionId: null })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^There is no show/),
    })
  })

  it('reports size, checksum and overlap of each part', async () => {
    const { sessionId, stop } = await endedShow()
    const due = (start: object[], stopped: object[]) => ({
      recordings: { start, stop: stopped },
      broadcasts: { start: [], stop: [] },
    })
    await runAnyhow(world, 'rollOver', { showId: 'a-show', sessionId, due: due([{ name: 'program', part: 2 }], []) })
    await world.clock.advance(12_000)
    await runAnyhow(world, 'rollOver', { showId: 'a-show', sessionId, due: due([], [{ name: 'program', part: 1 }]) })
    await world.clock.advance(30_000)
    await stop()
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

  it('reports a requested stop when nothing is lost', async () => {
    const { sessionId, stop } = await endedShow()
    await world.services.shows.update('a-show', (latest) => ({ ...latest, stopAskedAt: world.now() }))
    await stop()
    expect(await report({ sessionId })).toEqual({
      ...{ showId: 'a-show', status: 'stopped', reason: 'It was stopped on request.' },
    })
  })

  it('calls a show that was stopped before it was live stopped, and nothing of it lost', async () => {
    const { sessionId } = await openShow(world)
    await world.services.shows.update('a-show', (latest) => ({ ...latest, stopAskedAt: world.now() }))
    expect(await report({ sessionId, reason: 'It was stopped on request.' })).toMatchObject({ status: 'stopped' })
    expect(world.ownerEvents.map((event) => event['detail-type'])).not.toContain('recording.failed')
  })

  it('names the archives that the platform started automatically', async () => {
    const { sessionId } = await bringLive(world, { ...webinar, session: { archiveMode: 'always' } })
    await world.clock.advance(20_000)
    await run(world, 'stopShow', { showId: 'a-show', sessionId, reason: 'It ended.', failure: null })
    await settled(world)
    await report({ sessionId })
    expect((await result())?.automaticArchives).toEqual([
      { archiveId: expect.any(String), createdAt: expect.any(String), status: 'started', size: 0, duration: 0 },
    ])
    expect(await result()).toMatchObject({
      status: 'succeeded',
      reason: 'It ended. The session is recorded automatically until the last participant leaves.',
    })
  })

  it('holds labels, scenes, dial-ins and outputs, and names their problems', async () => {
    world.keepShowSecret('keys', { one: 'a stream key' })
    const { sessionId } = await bringLive(world, {
      ...webinar,
      labels: { course: '7' },
      scenes: [{ name: 'page', url: 'https://crash.invalid/page' }],
      dialIns: [{ name: 'studio', uri: 'sip:answer@example.com' }],
      broadcasts: [
        {
          name: 'sent',
          rtmp: [{ id: 'dead', serverUrl: 'rtmp://nowhere.invalid/app', streamName: { secret: 'keys#one' } }],
        },
      ],
    })
    await run(world, 'startScene', { showId: 'a-show', sessionId, name: 'page' })
    await run(world, 'startDialIn', { showId: 'a-show', sessionId, name: 'studio' })
    await world.clock.advance(20_000)
    await run(world, 'watchShow', { showId: 'a-show', sessionId })
    await run(world, 'stopShow', { showId: 'a-show', sessionId, reason: 'It ended.', failure: null })
    await settled(world)
    expect(await report({ sessionId })).toMatchObject({
      status: 'degraded',
      reason:
        'The planned end was reached. The output dead of the broadcast sent was offline. The scene page failed. The page crashed.',
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

  it('reports the last known state when the platform cannot be reached', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    await run(world, 'checkUploads', { showId: 'a-show', sessionId })
    world.interceptors.platform = refusing(() => true, 403)
    expect(await report({ sessionId })).toEqual({
      ...{ showId: 'a-show', status: 'succeeded' },
      reason:
        'The planned end was reached. The platform could not be reached at the end: this is the last known state.',
    })
    const { body } = await world.platform.call('listArchives', { sessionId })
    expect((await result())?.recordings).toMatchObject(
      body.items
        .toReversed()
        .map(({ id, projectId }: { id: string; projectId: string }) => ({ key: `${projectId}/${id}/archive.mp4` })),
    )
  })

  it('calls what it cannot ask for lost, unless its arrival was noted', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    world.interceptors.platform = refusing(() => true, 503)
    expect(await report({ sessionId })).toMatchObject({ status: 'failed' })
    expect((await result())?.recordings).toMatchObject([
      { lost: 'The platform could not be reached at the end; the last known status is started.' },
      {},
    ])
  })

  it('retries once before it reports the last known state', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    world.interceptors.platform = refusing(isCall('GET', /\/archive$/), 500, 3) // the client's own attempts
    expect(await report({ sessionId })).toMatchObject({ status: 'succeeded', reason: 'The planned end was reached.' })
  })

  it('holds an archive that was started and is in no record', async () => {
    const { sessionId, stop } = await endedShow()
    const multiArchiveTag = 'a-show/program/2'
    const { body } = await world.platform.call('startArchive', { sessionId, multiArchiveTag })
    await stop()
    await report({ sessionId })
    expect((await result())?.recordings[1]).toMatchObject({ name: 'program', part: 2, archiveId: body.id })
  })

  it('fails a show that was interrupted before its planned end', async () => {
    const { sessionId } = await bringLive(world)
    await world.services.shows.update('a-show', (latest) => ({ ...latest, closings: 1 }))
    const reason = 'Its execution was interrupted.'
    await run(world, 'stopShow', { showId: 'a-show', sessionId, reason, failure: null })
    await settled(world)
    expect(await report({ sessionId, reason })).toMatchObject({ status: 'failed', reason })
  })

  it('does not count a show as interrupted that had ended before the sweep closed it', async () => {
    const { sessionId } = await bringLive(world)
    const reason = 'All participants left before the planned end.'
    await run(world, 'stopShow', { showId: 'a-show', sessionId, reason, failure: null })
    await world.services.shows.update('a-show', (latest) => ({ ...latest, closings: 1 }))
    const closing = { showId: 'a-show', sessionId, reason: 'Its execution was interrupted.', failure: null }
    await run(world, 'stopShow', closing)
    await settled(world)
    expect(await report({ sessionId, reason: closing.reason })).toMatchObject({ status: 'succeeded', reason })
  })

  it('fails a show whose execution gave up, also when another brings it to its report', async () => {
    const { sessionId } = await bringLive(world)
    const failure = { Error: 'X', Cause: '{"errorMessage":"It broke."}' }
    await run(world, 'stopShow', { showId: 'a-show', sessionId, reason: null, failure })
    await world.services.shows.update('a-show', (latest) => ({ ...latest, closings: 1 }))
    await settled(world)
    const reason = 'Its execution was interrupted.'
    expect(await report({ sessionId, reason })).toMatchObject({ status: 'failed', reason: 'It broke.' })
  })

  it('names a few of many losses one by one, so that its answer stays small', async () => {
    const recordings = Array.from({ length: 50 }, (_, index) => ({ name: `take-${index}` }))
    await world.accept({ ...webinar, recordings })
    const { reason } = await report({ sessionId: null, reason: 'No participant connected.' })
    expect(reason).toMatch(
      /^No participant connected\. The recording take-0 is lost\. .* 45 more recordings are lost\.$/,
    )
  })
})
