import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler as startShow } from '../../../../lambdas/show/start-show.ts'
import type { WatchedShow } from '../../../../lib/api/watched-show.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { invoke, openWorld, START_TIME, type World } from '../../../support/world.ts'
import { manifest } from '../../api/recordings/recording.ts'
import { acceptShow, getOf, showId } from './watched-show.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
/** Each day at 19:00; the world's clock starts on 20 November at 9:00. */
const daily = { cron: '0 19 * * ? *', zone: 'UTC' }
const archiveOf = (day: number) => `b40ef09b-3811-4726-b508-e41a0f96c6${day}`
const dayAt = (day: number, time = '19:00') => `2026-11-${day}T${time}:00.000Z`

let world: World
let url: string
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const accept = async (start: object = daily, changes: object = {}) => {
  ;({ url } = await acceptShow(world, { start, ...changes }))
}
const read = async (): Promise<WatchedShow> => JSON.parse((await getOf(world, url.replace(/(\?|$)/, '/state$1'))).body)
const advanceTo = (time: string) => world.clock.advance(Date.parse(time) - world.clock.now())

/** Starts the show of a day. @returns how its state changes */
async function start(day: number) {
  await invoke(startShow, world.services, { scheduleId: showId, scheduledAt: dayAt(day) })
  const id = `${showId}-202611${day}t1900`
  return (changes: Partial<ShowState>) => world.services.records.updateState(id, (state) => ({ ...state, ...changes }))
}
const liveOf = (day: number): Partial<ShowState> => ({
  status: 'live',
  liveAt: dayAt(day, '19:01'),
  broadcasts: [{ name: 'live', part: 1, tag: 't', hls: `https://cdn.example.com/${day}.m3u8`, status: 'started' }],
})
const overOf = (day: number): Partial<ShowState> => ({
  status: 'succeeded',
  endedAt: dayAt(day, '20:01'),
  broadcasts: [],
  recordings: [{ name: 'program', part: 1, tag: 't', archiveId: archiveOf(day) }],
})
const publish = (day: number) => {
  const archiveId = archiveOf(day)
  const source = { ...manifest.source, key: keys.archive('1', archiveId) }
  return world.services.records.writeManifest({ ...manifest, archiveId, source, files: [] }, async () => true)
}

describe('GET /watch/show/{id}/state of a series', () => {
  it('counts down, shows the live show and then its recording, for each start at one address', async () => {
    await accept()
    expect(await read()).toMatchObject({ isSeries: true, phase: 'before', startsAt: dayAt(20), recordings: [] })
    const days: string[] = []
    for (const day of [20, 21]) {
      await advanceTo(dayAt(day))
      const change = await start(day)
      const waiting = await read()
      expect(waiting).toMatchObject({ phase: 'before', startsAt: null, live: null, isPublishing: false })
      expect(waiting.recordings.map(({ startedAt }) => startedAt)).toEqual(days)
      await change(liveOf(day))
      const playlist = `https://cdn.example.com/${day}.m3u8`
      expect(await read()).toMatchObject({ phase: 'live', startsAt: null, live: { playlist, dvr: true } })
      await advanceTo(dayAt(day, '20:01'))
      await change(overOf(day))
      expect(await read()).toMatchObject({ phase: 'before', startsAt: dayAt(day + 1), isPublishing: true })
      await publish(day)
      await world.clock.advance(MINUTE)
      days.unshift(dayAt(day, '19:01'))
      const { recordings, isPublishing } = await read()
      expect([recordings.map(({ startedAt }) => startedAt), isPublishing]).toEqual([days, false])
    }
  })

  it('signs the links to recordings for as long as the link to the series', async () => {
    await accept()
    const change = await start(20)
    await change(overOf(20))
    await publish(20)
    const [recording] = (await read()).recordings
    const ends = [new URL(recording?.path ?? '', url), new URL(url)].map(({ searchParams }) =>
      searchParams.get('expires'),
    )
    expect(ends[0]).toBe(ends[1])
  })

  it('waits for a start that is a little late, and then for the next one', async () => {
    await accept()
    await advanceTo(dayAt(20, '19:01'))
    expect(await read()).toMatchObject({ phase: 'before', startsAt: dayAt(20) })
    await world.clock.advance(5 * MINUTE)
    expect(await read()).toMatchObject({ phase: 'before', startsAt: dayAt(21) })
  })

  it.each([
    ['the last', { ...daily, count: 1 }, { starts: [dayAt(20)] }],
    ['a', daily, {}],
  ])('waits while %s start is noted and its show has no state', async (_, order, starts) => {
    await accept(order)
    await advanceTo(dayAt(20, '19:01'))
    const occurrences = [`${showId}-20261120t1900`]
    await world.services.records.updateState(showId, (state) => ({ ...state, ...starts, occurrences }))
    expect(await read()).toMatchObject({ phase: 'before', startsAt: dayAt(20), live: null })
    await world.clock.advance(5 * MINUTE)
    const later = 'starts' in starts ? { phase: 'after', startsAt: null } : { phase: 'before', startsAt: dayAt(21) }
    expect(await read()).toMatchObject(later)
  })

  it('prefers the show that is live to one that has just begun', async () => {
    await accept()
    const first = await start(20)
    await first(liveOf(20))
    await start(21)
    expect((await read()).live?.playlist).toBe('https://cdn.example.com/20.m3u8')
  })

  it('is over after its last start, and shows its recordings, the newest first', async () => {
    await accept({ ...daily, count: 2 })
    for (const day of [20, 21]) {
      const change = await start(day)
      await change(overOf(day))
      await publish(day)
    }
    const { phase, startsAt, recordings } = await read()
    expect([phase, startsAt]).toEqual(['after', null])
    expect(recordings.map(({ path }) => new URL(path, url).pathname)).toEqual(
      [21, 20].map((day) => `/watch/${archiveOf(day)}`),
    )
  })

  it('is over once it is unscheduled', async () => {
    await accept()
    await world.services.records.updateState(showId, (state) => ({ ...state, status: 'stopped', endedAt: START_TIME }))
    expect(await read()).toMatchObject({ phase: 'after', startsAt: null, isPublishing: false })
  })

  it('reads the recordings once for many viewers', async () => {
    await accept()
    const change = await start(20)
    await change(overOf(20))
    await publish(20)
    let manifests = 0
    world.interceptors.aws = (request, pass) => {
      if (request.url.includes('/manifest.json')) manifests += 1
      return pass()
    }
    for (let viewer = 0; viewer < 5; viewer++) await read()
    expect(manifests).toBe(1)
  })
})

describe('a link to a series', () => {
  it('works for a year', async () => {
    await accept()
    await world.clock.advance(365 * DAY)
    expect((await getOf(world, url.replace('?', '/state?'))).statusCode).toBe(200)
    await world.clock.advance(3 * DAY)
    expect((await getOf(world, url.replace('?', '/state?'))).statusCode).toBe(403)
  })

  it('works until a day after its last day', async () => {
    await accept({ ...daily, until: '2026-11-22' })
    await advanceTo(dayAt(24, '00:30'))
    expect((await getOf(world, url.replace('?', '/state?'))).statusCode).toBe(200)
    await world.clock.advance(HOUR)
    expect((await getOf(world, url.replace('?', '/state?'))).statusCode).toBe(403)
  })
})
