import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/show/start-show.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { refusing } from '../../support/world/interceptors.ts'
import { invoke, openWorld, type World, webinar } from '../../support/world.ts'
import { call, executionsOf, stateOf } from '../api/call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const schedule = async (start: ShowDocument['start'], key = 'key'): Promise<string> =>
  (await call(world, 'POST /shows', { body: { ...webinar, start }, key })).body.showId
const run = (scheduleId: string, scheduledAt = '2026-11-20T19:00:00Z') =>
  invoke(handler, world.services, { scheduleId, scheduledAt })

describe('startShow', () => {
  it('starts a show that is scheduled once, under its own id', async () => {
    const showId = await schedule({ at: '2026-11-20T19:00' })
    expect(await run(showId)).toEqual({ showId, outcome: 'started' })
    expect(executionsOf(world)).toMatchObject([{ name: showId, input: JSON.stringify({ showId }) }])
    expect((await stateOf(world, showId)).status).toBe('starting')
  })

  it('changes nothing when it is called twice', async () => {
    const showId = await schedule({ at: '2026-11-20T19:00' })
    await run(showId)
    await run(showId)
    await world.services.records.updateState(showId, (state) => ({ ...state, status: 'live', startedAt: world.now() }))
    expect(await run(showId)).toEqual({ showId, outcome: 'started before' })
    expect(executionsOf(world)).toHaveLength(1)
    expect((await stateOf(world, showId)).status).toBe('live')
  })

  it('starts what an earlier call could not', async () => {
    const showId = await schedule({ at: '2026-11-20T19:00' })
    world.interceptors.aws = refusing(
      (request) => !!request.headers.get('x-amz-target')?.endsWith('StartExecution'),
      500,
      1,
    )
    await expect(run(showId)).rejects.toMatchObject({ name: 'ServiceError' })
    expect(await run(showId)).toEqual({ showId, outcome: 'started' })
  })

  it('starts an own show for each time of a recurring schedule', async () => {
    const scheduleId = await schedule({ cron: '0 19 ? * * *', zone: 'Europe/Berlin' })
    const first = await run(scheduleId, '2026-11-20T18:00:00Z')
    await run(scheduleId, '2026-11-20T18:00:00Z')
    const second = await run(scheduleId, '2026-11-21T18:00:00Z')
    expect([first, second]).toEqual([
      { showId: `${scheduleId}-20261120t1800`, outcome: 'started' },
      { showId: `${scheduleId}-20261121t1800`, outcome: 'started' },
    ])
    expect(executionsOf(world)).toHaveLength(2)
    expect((await stateOf(world, scheduleId)).status).toBe('scheduled')
    const request = await world.services.records.readRequest(`${scheduleId}-20261120t1800`)
    expect(request?.show).toMatchObject(webinar)
    expect(request?.show).not.toHaveProperty('start')
    const { occurrences } = await stateOf(world, scheduleId)
    expect(occurrences).toEqual(['20', '21'].map((day) => `${scheduleId}-202611${day}t1800`))
  })

  it('names the newest 20 shows in the state of their series', async () => {
    const scheduleId = await schedule({ cron: '0 19 ? * * *' })
    const days = Array.from({ length: 22 }, (_, index) => String(index + 1).padStart(2, '0'))
    for (const day of days) await run(scheduleId, `2026-12-${day}T19:00:00Z`)
    const newest = days.slice(2).map((day) => `${scheduleId}-202612${day}t1900`)
    expect((await stateOf(world, scheduleId)).occurrences).toEqual(newest)
  })

  it('starts a series neither on an excepted date nor after its last day', async () => {
    const except = ['2026-11-21']
    const scheduleId = await schedule({ cron: '0 19 ? * * *', zone: 'Europe/Berlin', except, until: '2026-11-22' })
    const outcomes = []
    for (const day of [20, 21, 22, 23]) outcomes.push(await run(scheduleId, `2026-11-${day}T18:00:00Z`))
    expect(outcomes).toMatchObject(['started', 'unscheduled', 'started', 'unscheduled'].map((outcome) => ({ outcome })))
    expect(executionsOf(world)).toHaveLength(2)
  })

  it('starts a series as often as ordered, and counts a repeated call once', async () => {
    const scheduleId = await schedule({ cron: '0 19 ? * * *', count: 2 })
    const outcomes = []
    for (const day of [20, 20, 21, 22, 21]) outcomes.push(await run(scheduleId, `2026-11-${day}T19:00:00Z`))
    const [start, none] = ['started', 'unscheduled']
    expect(outcomes).toMatchObject([start, start, start, none, start].map((outcome) => ({ outcome })))
    expect(executionsOf(world)).toHaveLength(2)
    expect((await stateOf(world, scheduleId)).starts).toEqual(['2026-11-20T19:00:00.000Z', '2026-11-21T19:00:00.000Z'])
  })

  it('completes a start that was interrupted after it was counted, also when the series has ended', async () => {
    const scheduleId = await schedule({ cron: '0 19 ? * * *', count: 1 })
    world.interceptors.aws = refusing(({ url, method }) => method === 'PUT' && url.includes('t1900/request'), 500, 1)
    await expect(run(scheduleId)).rejects.toMatchObject({ name: expect.stringContaining('Error') })
    await call(world, `DELETE /shows/${scheduleId}`)
    expect(await run(scheduleId)).toMatchObject({ outcome: 'started' })
  })

  it('keeps ids within 64 characters', async () => {
    const scheduleId = 'a'.repeat(64)
    const show = { ...webinar, start: { cron: '0 19 ? * * *' } }
    await world.accept(show, scheduleId)
    await world.services.records.updateState(scheduleId, (state) => ({ ...state, status: 'scheduled' }))
    expect(await run(scheduleId)).toMatchObject({
      showId: expect.stringMatching(/^[0-9a-f]{40}-20261120t1900$/),
      outcome: 'started',
    })
  })

  it('starts nothing for a schedule whose show is not there', async () => {
    expect(await run('gone')).toEqual({ showId: 'gone', outcome: 'unscheduled' })
    expect(executionsOf(world)).toEqual([])
  })

  it('starts nothing for a recurring show that was unscheduled', async () => {
    const scheduleId = await schedule({ cron: '0 19 ? * * *' })
    await call(world, `DELETE /shows/${scheduleId}`)
    expect(await run(scheduleId)).toEqual({ showId: scheduleId, outcome: 'unscheduled' })
    expect(executionsOf(world)).toEqual([])
  })

  it('refuses a text that is not a time', async () => {
    const scheduleId = await schedule({ cron: '0 19 ? * * *' })
    await expect(run(scheduleId, 'soon')).rejects.toMatchObject({ name: 'TaskInputError' })
  })
})
