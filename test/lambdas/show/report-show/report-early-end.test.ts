import { describe, expect, it } from 'vitest'
import { bringLive, openShow, run, settled } from '../../run.ts'
import { openReporting } from './reported-show.ts'

const showId = 'a-show'
const INTERRUPTED = 'Its execution was interrupted.'
const STOPPED = { status: 'stopped', reason: 'It was stopped on request.' }

describe('reportShow of a show that was stopped on request', () => {
  it('reports it as stopped when nothing is lost', async () => {
    const { world, report, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await world.services.shows.update(showId, (latest) => ({ ...latest, stopAskedAt: world.now() }))
    await stopAsPlanned()
    expect(await report({ sessionId })).toEqual({ showId, ...STOPPED })
  })

  it('reports no recording as failed that a stop before the show was live prevented', async () => {
    const { world, report, eventsOf } = openReporting()
    const { sessionId } = await openShow(world)
    await world.services.shows.update(showId, (latest) => ({ ...latest, stopAskedAt: world.now() }))
    expect(await report({ sessionId, reason: STOPPED.reason })).toMatchObject(STOPPED)
    expect(eventsOf('recording.failed')).toEqual([])
  })

  it('reports no recording as failed that a stop while the show was starting prevented', async () => {
    const { world, report, result, eventsOf } = openReporting()
    const { sessionId } = await openShow(world)
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
    expect(await report({ sessionId })).toMatchObject(STOPPED)
    expect((await result())?.recordings).toMatchObject([
      { status: 'uploaded' },
      { name: 'speakers', lost: 'It was never started.' },
    ])
    expect(eventsOf('recording.failed')).toEqual([])
  })
})

describe('reportShow of a show that never was live', () => {
  it('begins the reason with why', async () => {
    const { world, report } = openReporting()
    const { sessionId } = await openShow(world)
    const { status, reason } = await report({ sessionId, reason: 'No participant connected within 900 seconds.' })
    expect(status).toBe('failed')
    expect(reason).toMatch(
      /^No participant connected within 900 seconds\. The recording program is lost\. It was never started\./,
    )
  })

  it('reports why its session could not be opened', async () => {
    const { world, report, result } = openReporting()
    await world.accept()
    const failure = { Error: 'PlatformAuthError', Cause: '{"errorMessage":"Check the API key."}' }
    expect(await report({ sessionId: null, failure })).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^Check the API key\./),
    })
    const lost = 'The session was never opened.'
    expect((await result())?.recordings).toMatchObject([{ lost }, { lost }])
    expect(world.calls).toEqual([])
  })
})

describe('reportShow of a show whose execution ended early', () => {
  it('fails the show although its files have arrived', async () => {
    const { report, result, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await stopAsPlanned()
    expect(await report({ sessionId, failure: { Error: 'States.Timeout' } })).toMatchObject({
      status: 'failed',
      reason: 'A task took too long and was stopped.',
    })
    expect((await result())?.recordings.map(({ lost }) => lost)).toEqual([undefined, undefined])
  })

  it('fails a show that was interrupted before its planned end', async () => {
    const { world, report, stop } = openReporting()
    const { sessionId } = await bringLive(world)
    await world.services.shows.update(showId, (latest) => ({ ...latest, closings: 1 }))
    await stop({ sessionId, reason: INTERRUPTED })
    expect(await report({ sessionId, reason: INTERRUPTED })).toMatchObject({ status: 'failed', reason: INTERRUPTED })
  })

  it('fails a show whose execution gave up, also when another one reports it', async () => {
    const { world, report, stop } = openReporting()
    const { sessionId } = await bringLive(world)
    await stop({ sessionId, failure: { Error: 'X', Cause: '{"errorMessage":"It broke."}' } })
    await world.services.shows.update(showId, (latest) => ({ ...latest, closings: 1 }))
    expect(await report({ sessionId, reason: INTERRUPTED })).toMatchObject({ status: 'failed', reason: 'It broke.' })
  })

  it('does not count a show as interrupted that had ended before the sweep closed it', async () => {
    const { world, report, stop } = openReporting()
    const { sessionId } = await bringLive(world)
    const reason = 'All participants left before the planned end.'
    await stop({ sessionId, reason })
    await world.services.shows.update(showId, (latest) => ({ ...latest, closings: 1 }))
    await stop({ sessionId, reason: INTERRUPTED })
    expect(await report({ sessionId, reason: INTERRUPTED })).toMatchObject({ status: 'succeeded', reason })
  })
})
