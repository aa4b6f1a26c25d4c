import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handler as startShow } from '../../../../lambdas/show/start-show.ts'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { invoke, openWorld, type World, webinar } from '../../../support/world.ts'
import { bringLive, call, executionsOf, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const start = { at: '2026-11-20T19:00' }
const labels = { course: '7' }
const schedule = async (order: object = start): Promise<string> =>
  (await call(world, 'POST /shows', { body: { ...webinar, labels, start: order } })).body.showId
const schedules = () => world.scheduler.list({ ScheduleGroup: 'shows', MaxResults: 100 }).schedules

describe('DELETE /shows/{id}', () => {
  it('deletes the schedule, reports the show as stopped and notifies its owner', async () => {
    const showId = await schedule()
    expect(await call(world, `DELETE /shows/${showId}`)).toMatchObject({
      status: 200,
      body: { showId, status: 'stopped' },
    })
    expect(schedules()).toEqual([])
    expect((await call(world, `GET /shows/${showId}`)).body).toMatchObject({
      status: 'stopped',
      endReason: 'It was unscheduled.',
      timeline: [{ what: 'show.ended', by: 'app' }],
      result: {
        status: 'stopped',
        reason: 'It was unscheduled.',
        labels,
        recordings: [{ name: 'program', lost: 'It was never started.' }, { name: 'speakers' }],
      },
    })
    expect(world.ownerEvents).toMatchObject([
      {
        detail: {
          event: 'show.ended',
          id: `${showId}/show.ended///`,
          status: 'stopped',
          reason: 'It was unscheduled.',
        },
      },
    ])
  })

  it('may be repeated', async () => {
    const showId = await schedule()
    const first = await call(world, `DELETE /shows/${showId}`)
    await world.clock.advance(1_000)
    expect(await call(world, `DELETE /shows/${showId}`)).toEqual(first)
    expect(world.ownerEvents).toHaveLength(1)
  })

  it('completes an interrupted request', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const showId = await schedule()
    world.interceptors.aws = refusing(isCall('DELETE', /^\/schedules\//), 500, 1)
    expect((await call(world, `DELETE /shows/${showId}`)).status).toBe(500)
    expect((await call(world, `DELETE /shows/${showId}`)).status).toBe(200)
    expect(schedules()).toEqual([])
    expect(await world.services.records.readResult(showId)).toMatchObject({ status: 'stopped' })
  })

  it('completes it for a recurring show although the sweep has closed that meanwhile', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const showId = await schedule({ cron: '0 10 * * ? *' })
    world.interceptors.aws = refusing(isCall('DELETE', /^\/schedules\//), 500, 1)
    expect((await call(world, `DELETE /shows/${showId}`)).status).toBe(500)
    await world.services.records.updateState(showId, (state) => ({ ...state, startedAt: world.now() }))
    expect((await call(world, `DELETE /shows/${showId}`)).status).toBe(200)
    expect(schedules()).toEqual([])
  })

  it('keeps a schedule that calls all the same from starting anything', async () => {
    const showId = await schedule()
    await call(world, `DELETE /shows/${showId}`)
    const outcome = await invoke(startShow, world.services, { scheduleId: showId, scheduledAt: '2026-11-20T19:00:00Z' })
    expect(outcome).toEqual({ showId, outcome: 'unscheduled' })
    expect(executionsOf(world)).toEqual([])
  })

  it('does not stop occurrences of a recurring show that have started', async () => {
    const scheduleId = await schedule({ cron: '0 10 * * ? *' })
    const begun = (await invoke(startShow, world.services, { scheduleId, scheduledAt: '2026-11-20T10:00:00Z' })) as {
      showId: string
    }
    expect((await call(world, `DELETE /shows/${scheduleId}`)).status).toBe(200)
    expect((await stateOf(world, begun.showId)).status).toBe('starting')
  })

  it('refuses a show that has begun, and says how to stop it', async () => {
    await bringLive(world)
    expect(await call(world, 'DELETE /shows/a-show')).toMatchObject({
      status: 409,
      body: { detail: 'The show a-show has started. Stop it with POST /shows/a-show/stop.' },
    })
  })

  it('refuses one that its schedule has started', async () => {
    const showId = await schedule()
    await invoke(startShow, world.services, { scheduleId: showId, scheduledAt: '2026-11-20T19:00:00Z' })
    expect((await call(world, `DELETE /shows/${showId}`)).status).toBe(409)
    expect((await stateOf(world, showId)).status).toBe('starting')
  })

  it('refuses a show that is over', async () => {
    await world.accept()
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      status: 'stopped',
      startedAt: world.now(),
    }))
    expect(await call(world, 'DELETE /shows/a-show')).toMatchObject({
      status: 409,
      body: { detail: 'The show a-show is over, so it cannot be unscheduled.' },
    })
  })

  it('answers 404 to an unknown show', async () => {
    expect((await call(world, 'DELETE /shows/none')).status).toBe(404)
  })
})
