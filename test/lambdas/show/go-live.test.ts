import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskOutput } from '../../../lib/tasks/tasks.ts'
import { isCall, refusing } from '../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { openShow, run } from '../run.ts'

const recordingStarted = { type: 'recording', data: 'This is being recorded.' }
let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world, { ...webinar, announcements: { recordingStarted } })
})
afterEach(() => world.close())

const started = (name: string, createdAt: string = START_TIME): TaskOutput<'startRecording'> => ({
  ...{ name, part: 1, tag: `a-show/${name}/1`, archiveId: `archive of ${name}` },
  ...{ createdAt, status: 'started' },
})
const failed = (name: string) => ({
  name,
  error: { Error: 'PlatformConflictError', Cause: '{"errorMessage":"The session is relayed."}' },
})
const live: TaskOutput<'startBroadcast'> = {
  ...{ name: 'live', part: 1, tag: 'a-show/live/1', broadcastId: 'b', createdAt: START_TIME, status: 'started' },
  ...{ hls: 'https://cdn.example.com/index.m3u8', hlsStatus: 'connecting', rtmp: [{ id: 'main', status: 'live' }] },
}
type Outcomes = Pick<Parameters<typeof run<'goLive'>>[2], 'recordings' | 'broadcasts'>
const goLive = (outcomes: Partial<Outcomes>) =>
  run(world, 'goLive', {
    ...{ showId: 'a-show', sessionId: show.sessionId },
    ...{ recordings: [], broadcasts: [], ...outcomes },
  })
const state = () => world.services.shows.state('a-show')
const ask = (change: object) => world.services.shows.update('a-show', (state) => ({ ...state, ...change }))
const signals = () => world.calls.filter((call) => call.endsWith('/signal')).length
const reported = () => world.ownerEvents.map(({ detail }) => detail as Record<string, unknown>).slice(1)

describe('goLive', () => {
  it('counts the planned end from the first that was created', async () => {
    const recordings = [started('program', '2026-11-20T09:00:03.500Z'), started('speakers', '2026-11-20T09:00:02.000Z')]
    const broadcasts = [{ ...live, createdAt: '2026-11-20T09:00:04.000Z' }]
    const plannedEndAt = '2026-11-20T09:00:22.000Z'
    expect(await goLive({ recordings, broadcasts })).toEqual({ live: true, plannedEndAt })
    expect(await state()).toMatchObject({
      ...{ status: 'live', liveAt: '2026-11-20T09:00:02.000Z', plannedEndAt },
      ...{ recordings, broadcasts },
    })
  })

  it('keeps a planned end that was moved before', async () => {
    const plannedEndAt = '2026-11-20T09:00:05.000Z'
    await ask({ plannedEndAt, status: 'waiting' })
    expect(await goLive({ recordings: [started('program')] })).toEqual({ live: true, plannedEndAt })
    expect(await state()).toMatchObject({ status: 'live', plannedEndAt })
  })

  it('notes why a start failed, and continues with the others', async () => {
    const recordings = [failed('program'), started('speakers')]
    expect(await goLive({ recordings, broadcasts: [live] })).toMatchObject({ live: true })
    const noted = await state()
    expect(noted.recordings).toMatchObject([
      { name: 'program', tag: 'a-show/program/1', problem: 'The session is relayed.' },
      { name: 'speakers', archiveId: 'archive of speakers' },
    ])
    expect(noted.timeline.slice(2)).toEqual([
      { at: START_TIME, what: 'recording.failed', name: 'program', part: 1, detail: 'The session is relayed.' },
      { at: START_TIME, what: 'recording.started', name: 'speakers', part: 1 },
      { at: START_TIME, what: 'broadcast.started', name: 'live', part: 1 },
      { at: START_TIME, what: 'announcement.sent', id: 'recordingStarted' },
    ])
  })

  it('notifies the owner of recordings that run and that failed, with reasons', async () => {
    await goLive({ recordings: [failed('program'), started('speakers')], broadcasts: [failed('live')] })
    const { sessionId } = show
    expect(reported()).toEqual([
      {
        ...{ id: 'a-show/recording.failed/program/1/', event: 'recording.failed', at: START_TIME, showId: 'a-show' },
        ...{ name: 'program', part: 1, sessionId, reason: 'The session is relayed.', labels: {}, callback: false },
        stage: 'test',
      },
      {
        ...{ id: 'a-show/recording.started/speakers/1/', event: 'recording.started', at: START_TIME, showId: 'a-show' },
        ...{ name: 'speakers', part: 1, sessionId, archiveId: 'archive of speakers', labels: {}, callback: false },
        stage: 'test',
      },
    ])
  })

  it('touches first parts alone, and forgets why an earlier attempt failed', async () => {
    const second = { name: 'program', part: 2, tag: 'a-show/program/2' }
    await ask({ recordings: [{ ...second, part: 1, tag: 'a-show/program/1', problem: 'No.' }, second] })
    await goLive({ recordings: [started('program')] })
    expect((await state()).recordings).toEqual([started('program'), second])
  })

  it('is not live when nothing could be started, and announces nothing', async () => {
    const recordings = [failed('program'), failed('speakers')]
    expect(await goLive({ recordings, broadcasts: [failed('live')] })).toEqual({ live: false })
    expect(await state()).toMatchObject({ status: 'starting', broadcasts: [{ problem: 'The session is relayed.' }] })
    expect(await state()).not.toHaveProperty('liveAt')
    expect(signals()).toBe(0)
  })

  it('announces no recording where only a broadcast runs', async () => {
    expect(await goLive({ recordings: [failed('program')], broadcasts: [live] })).toMatchObject({ live: true })
    expect(signals()).toBe(0)
  })

  it('goes live although the announcement fails, which is noted', async () => {
    world.interceptors.platform = refusing(isCall('POST', /\/signal$/), 500)
    expect(await goLive({ recordings: [started('program')] })).toMatchObject({ live: true })
    expect((await state()).timeline.at(-1)).toMatchObject({ what: 'announcement.failed', id: 'recordingStarted' })
  })

  it('does not count a start that a stop prevented as failed', async () => {
    const stopped = (name: string) => ({
      name,
      error: { Error: 'ShowStoppedError', Cause: '{"errorMessage":"The show was stopped meanwhile."}' },
    })
    await ask({ stopAskedAt: START_TIME })
    await goLive({ recordings: [started('program'), stopped('speakers')], broadcasts: [stopped('live')] })
    expect(await state()).toMatchObject({
      recordings: [started('program'), { name: 'speakers', tag: 'a-show/speakers/1' }],
    })
    expect(JSON.stringify(await state())).not.toContain('stopped meanwhile')
    expect(reported().map(({ event }) => event)).toEqual(['recording.started'])
  })

  it('leaves a show that has come further where it is', async () => {
    await ask({ status: 'ending', liveAt: '2026-11-20T08:00:00.000Z' })
    await goLive({ recordings: [started('program')] })
    expect(await state()).toMatchObject({ status: 'ending', liveAt: '2026-11-20T08:00:00.000Z' })
  })

  it('changes nothing when it is repeated', async () => {
    const first = await goLive({ recordings: [started('program')] })
    const noted = await state()
    await world.clock.advance(5_000)
    expect(await goLive({ recordings: [started('program')] })).toEqual(first)
    expect(await state()).toEqual(noted)
    expect([reported().length, signals()]).toEqual([1, 1])
  })
})
