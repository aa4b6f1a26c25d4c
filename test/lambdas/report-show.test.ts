import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../support/world.ts'
import { bringLive, openShow, run, runAnyhow, settled } from './run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

type End = { sessionId: string | null; reason?: string | null; failure?: { Error: string; Cause?: string } | null }
const report = ({ sessionId, reason = null, failure = null }: End) =>
  run(world, 'reportShow', { showId: 'a-show', sessionId, reason, failure })
const result = () => world.services.records.readResult('a-show')

async function endedShow() {
  const show = await bringLive(world)
  await world.clock.advance(20_000)
  return {
    ...show,
    async stop() {
      const { sessionId } = show
      await run(world, 'stopShow', { showId: 'a-show', sessionId, reason: 'The planned end came.', failure: null })
      await settled(world)
    },
  }
}

describe('reportShow', () => {
  it('writes a result with the fate of everything, and tells the owner', async () => {
    const { sessionId, stop, recordings, broadcasts } = await endedShow()
    await stop()
    await run(world, 'checkUploads', { showId: 'a-show', sessionId, uploadWait: 60 })
    expect(await report({ sessionId, reason: 'The planned end came.' })).toEqual({
      showId: 'a-show',
      status: 'succeeded',
      reason: 'The planned end came.',
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
    expect(world.told).toMatchObject([
      { 'detail-type': 'show.ended', detail: { id: 'a-show/ended', showId: 'a-show', status: 'succeeded' } },
    ])
  })

  it('keeps the first result, and tells again with the same id', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    await report({ sessionId, reason: 'The planned end came.' })
    const first = await result()
    await world.clock.advance(1_000)
    expect(await report({ sessionId, failure: { Error: 'Late' } })).toMatchObject({ status: 'succeeded' })
    expect(await result()).toEqual(first)
    expect(world.told.map(({ detail }) => detail)).toEqual([world.told[0]?.detail, world.told[0]?.detail])
  })

  it('tells the owner after an outage of the bus', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.startsWith('AWSEvents') ? new Response(null, { status: 500 }) : pass()
    await expect(report({ sessionId })).rejects.toMatchObject({ name: 'ServiceError' }) // which is repeated
    world.interceptors.aws = (_request, pass) => pass()
    await report({ sessionId })
    expect(world.told).toHaveLength(1)
  })

  it('names each recording that is lost, and why', async () => {
    const { sessionId, stop } = await endedShow()
    await world.aimUploads('elsewhere')
    await stop()
    const why = 'Its upload failed; the platform keeps the file for 72 hours.'
    expect(await report({ sessionId, reason: 'The planned end came.' })).toMatchObject({
      status: 'failed',
      reason: `The recording program is lost. ${why} The recording speakers is lost. ${why}`,
    })
    expect((await result())?.recordings).toMatchObject([{ lost: why }, { lost: why }])
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
      'It had not arrived when waiting ended; the platform says started.',
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

  it('says first why a show never went live', async () => {
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
    expect(await report({ sessionId: null, failure })).toMatchObject({ status: 'failed', reason: 'Check the API key.' })
    expect((await result())?.recordings).toMatchObject([{ lost: 'The session was never opened.' }, {}])
    expect(world.calls).toEqual([])
  })

  it('fails a show whose execution failed, though its files have arrived', async () => {
    const { sessionId, stop } = await endedShow()
    await stop()
    expect(await report({ sessionId, failure: { Error: 'States.Timeout' } })).toMatchObject({
      status: 'failed',
      reason: 'A step took too long and was given up.',
    })
    expect((await result())?.recordings.map(({ lost }) => lost)).toEqual([undefined, undefined])
  })

  it('names a show that is not there', async () => {
    await expect(
      runAnyhow(world, 'reportShow', { showId: 'none', sessionId: null, reason: null, failure: null }),
    ).rejects.toMatchObject({ name: 'TaskInputError', message: 'The show none has no state.' })
  })
})
