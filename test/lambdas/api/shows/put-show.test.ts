import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler as startShow } from '../../../../lambdas/show/start-show.ts'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { invoke, openWorld, type World, webinar } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { call, executionsOf, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const at = (time: string) => ({ start: { at: time, zone: 'UTC' }, audienceWait: 10 })
const moved = {
  ...webinar,
  name: 'Later',
  recordings: [{ name: 'only' }],
  broadcasts: [],
  ...at('2026-11-21T19:00'),
}
const schedule = async (document: object = { ...webinar, ...at('2026-11-20T19:00') }, key = 'key'): Promise<string> =>
  (await call(world, 'POST /shows', { body: document, key })).body.showId
const put = (showId: string, body: object = moved) => call(world, `PUT /shows/${showId}`, { body, sub: 'editor' })
const expressions = () =>
  world.scheduler
    .list({ ScheduleGroup: 'shows', MaxResults: 100 })
    .schedules.map(({ input }) => input.ScheduleExpression)
const start = (scheduleId: string, scheduledAt: string) =>
  invoke(startShow, world.services, { scheduleId, scheduledAt })

describe('PUT /shows/{id}', () => {
  it('replaces the document and the schedule, and keeps the id', async () => {
    const showId = await schedule()
    await world.clock.advance(60_000)
    const edited = await put(showId)
    expect(edited).toMatchObject({
      status: 200,
      body: {
        ...{ showId, name: 'Later', status: 'scheduled', acceptedBy: 'app', editedBy: 'editor' },
        ...{ acceptedAt: '2026-11-20T09:00:00.000Z', editedAt: '2026-11-20T09:01:00.000Z' },
        nextStart: '2026-11-21T19:00:00.000Z',
        document: { name: 'Later', audienceWait: 10 },
        recordings: [{ name: 'only', part: 1 }],
        broadcasts: [],
      },
    })
    expect(expressions()).toEqual(['at(2026-11-21T19:00:00)'])
    expect((await call(world, `GET /shows/${showId}`)).body).toEqual(edited.body)
    expect((await world.services.shows.request(showId)).show.name).toBe('Later')
  })

  it('may be repeated, and the show may still be posted again with its key', async () => {
    const showId = await schedule()
    const first = await put(showId)
    await world.clock.advance(60_000)
    expect(await put(showId)).toEqual(first)
    expect(await schedule()).toBe(showId)
    expect((await stateOf(world, showId)).name).toBe('Later')
    expect(expressions()).toEqual(['at(2026-11-21T19:00:00)'])
  })

  it('can be undone, and turns a single show into a recurring one', async () => {
    const first = { ...webinar, ...at('2026-11-20T19:00') }
    const showId = await schedule(first)
    await put(showId)
    await put(showId, first)
    expect((await stateOf(world, showId)).name).toBe('Launch webinar')
    await put(showId, { ...webinar, name: 'Weekly', start: { cron: '0 19 ? * FRI *' } })
    expect(expressions()).toEqual(['cron(0 19 ? * FRI *)'])
    const { showId: occurrence } = (await start(showId, '2026-11-20T19:00:00Z')) as { showId: string }
    expect((await call(world, `GET /shows/${occurrence}`)).body).toMatchObject({ name: 'Weekly', scheduleId: showId })
  })

  it('starts nothing at the former time', async () => {
    const showId = await schedule()
    await put(showId)
    expect(await start(showId, '2026-11-20T19:00:00Z')).toEqual({ showId, outcome: 'unscheduled' })
    expect(executionsOf(world)).toEqual([])
    expect(await start(showId, '2026-11-21T19:00:00Z')).toEqual({ showId, outcome: 'started' })
    expect(await run(world, 'acceptShow', { ...execution(showId), request: { showId, closing: false } })).toMatchObject(
      { recordings: ['only'], broadcasts: [] },
    )
  })

  it('has the sweep change the schedule when the request was interrupted', async () => {
    const showId = await schedule()
    world.interceptors.aws = refusing(isCall('PUT', /^\/schedules\//), 500, 1)
    expect((await put(showId)).status).toBe(500)
    expect(expressions()).toEqual(['at(2026-11-20T19:00:00)'])
    await world.clock.advance(180_000)
    await run(world, 'sweepShows', {})
    expect(expressions()).toEqual(['at(2026-11-21T19:00:00)'])
    expect((await call(world, `GET /shows/${showId}`)).body.nextStart).toBe('2026-11-21T19:00:00.000Z')
  })

  it('refuses a show that has begun, is over or does not exist', async () => {
    const showId = await schedule()
    await start(showId, '2026-11-20T19:00:00Z')
    expect(await put(showId)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('has begun') } })
    const other = await schedule(undefined, 'other')
    await call(world, `DELETE /shows/${other}`)
    expect(await put(other)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('is over') } })
    expect((await put('none')).status).toBe(404)
  })

  it('refuses a document without a start, with a past one, or that only an admin may post', async () => {
    const showId = await schedule()
    const { start: _, ...unscheduled } = moved
    const refused = async (body: object) => (await put(showId, body)).body.problems?.[0].path
    expect(await refused(unscheduled)).toBe('start')
    expect(await refused({ ...moved, ...at('2026-11-20T08:00') })).toBe('start.at')
    expect(await refused({ ...moved, duration: 0 })).toBe('duration')
    expect((await put(showId, { ...moved, publish: { access: 'public' } })).status).toBe(403)
    expect((await stateOf(world, showId)).name).toBe('Launch webinar')
  })
})

const execution = (executionName: string) => ({ executionName, startedAt: '2026-11-21T19:00:00.000Z' })
