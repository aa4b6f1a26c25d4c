import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { call, stateOf } from '../../api/call.ts'
import { run } from '../../run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const DAY = 86_400_000
const schedule = async (start: ShowDocument['start']): Promise<string> =>
  (await call(world, 'POST /shows', { body: { ...webinar, start } })).body.showId
const sweep = () => run(world, 'sweepShows', {})
const schedules = () => world.scheduler.list({ ScheduleGroup: 'shows', MaxResults: 100 }).schedules

describe('sweepShows, of a series', () => {
  it('ends it after its last start, and deletes its schedule', async () => {
    const showId = await schedule({ cron: '0 19 ? * * *', count: 2 })
    await run(world, 'startShow', { scheduleId: showId, scheduledAt: '2026-11-20T19:00:00Z' })
    await sweep()
    expect([(await stateOf(world, showId)).status, schedules().length]).toEqual(['scheduled', 1])
    await run(world, 'startShow', { scheduleId: showId, scheduledAt: '2026-11-21T19:00:00Z' })
    await sweep()
    expect([(await stateOf(world, showId)).status, schedules()]).toEqual(['stopped', []])
    expect((await call(world, `GET /shows/${showId}`)).body.result.reason).toBe('It has started 2 times, as ordered.')
  })

  it('ends it an hour after its last day, and makes no schedule meanwhile', async () => {
    const showId = await schedule({ cron: '0 19 ? * * *', until: '2026-11-21' })
    await world.clock.advance(Date.parse('2026-11-22T00:00:00Z') - world.clock.now())
    await sweep()
    expect([(await stateOf(world, showId)).status, schedules()]).toEqual(['scheduled', []])
    await world.clock.advance(3_600_000)
    await sweep()
    expect((await stateOf(world, showId)).endReason).toBe('Its last day was 2026-11-21.')
    await world.clock.advance(DAY)
    await sweep()
    expect(schedules()).toEqual([])
  })

  it('starts the show of a time at which each call of the schedule was interrupted, also the last one', async () => {
    const showId = await schedule({ cron: '0 19 ? * * *', count: 1 })
    await world.clock.advance(Date.parse('2026-11-20T19:00:00Z') - world.clock.now())
    world.interceptors.aws = async (request, pass) =>
      request.method === 'PUT' && request.url.includes('request.json') ? new Response('', { status: 503 }) : pass()
    const start = { scheduleId: showId, scheduledAt: '2026-11-20T19:00:00Z' }
    await expect(run(world, 'startShow', start)).rejects.toThrow()
    world.interceptors.aws = (_request, pass) => pass()
    await sweep()
    expect((await stateOf(world, showId)).status).toBe('scheduled')
    await world.clock.advance(900_000)
    expect((await sweep()).started).toEqual([showId])
    const occurrence = (await stateOf(world, showId)).occurrences?.[0]
    expect((await stateOf(world, occurrence ?? '')).status).toBe('starting')
    expect((await sweep()).started).toEqual([])
    expect((await stateOf(world, showId)).endReason).toBe('It has started once, as ordered.')
  })

  it('starts nothing for a time that is too long ago', async () => {
    const showId = await schedule({ cron: '0 19 ? * * *' })
    await world.clock.advance(Date.parse('2026-11-20T20:00:01Z') - world.clock.now())
    expect((await sweep()).started).toEqual([])
    expect((await stateOf(world, showId)).occurrences ?? []).toEqual([])
  })
})
