import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { call } from '../../api/call.ts'
import { run } from '../../run.ts'

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:show'
let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const sweep = () => run(world, 'sweepShows', {})
const state = (showId: string) => world.services.shows.state(showId)
const result = (showId: string) => world.services.records.readResult(showId)
const invokeStart = (scheduleId: string) => run(world, 'startShow', { scheduleId, scheduledAt: world.now() })
const executions = () => world.states.listExecutions({ stateMachineArn: MACHINE })
const minutes = (count: number) => world.clock.advance(count * 60_000)

describe('sweepShows, of a scheduled show', () => {
  const isSchedule = (method: string) => isCall(method, /^\/schedules\//)
  const schedules = () => world.scheduler.list({ ScheduleGroup: 'shows', MaxResults: 100 }).schedules
  /** Eleven minutes from when the world begins. */
  const at = () => ({ at: new Date(world.clock.now() + 660_000).toISOString().slice(0, 19) })
  const post = async (start: object, key = 'key') =>
    (await call(world, 'POST /shows', { body: { ...webinar, start }, key })).body.showId as string
  /** Posts a show, and interrupts the call before the schedule is made. */
  const postHalf = async (start: object) => {
    world.interceptors.aws = refusing(isSchedule('POST'), 500)
    await post(start)
    world.interceptors.aws = (_request, pass) => pass()
    return (await Array.fromAsync(world.services.records.eachUnfinished()))[0] ?? ''
  }

  it('leaves one alone whose schedule is there', async () => {
    await post(at())
    await post({ cron: '0 19 * * ? *' }, 'another')
    const before = schedules()
    await minutes(10)
    expect(await sweep()).toMatchObject({ checked: 2, started: [], settled: [], failed: [] })
    expect(schedules()).toEqual(before)
    expect(executions()).toEqual([])
  })

  it.each([
    ['one that comes once', at],
    ['a recurring one', () => ({ cron: '0 19 * * ? *' })],
  ] as const)('makes the schedule of %s that was never made', async (_words, start) => {
    const showId = await postHalf(start())
    expect((await sweep()).checked).toBe(1)
    expect(schedules()).toEqual([]) // the call that posts it may still do so
    await minutes(2)
    await sweep()
    expect(schedules()).toMatchObject([{ name: showId }])
  })

  it('leaves no schedule behind for a show that is unscheduled at the same moment', async () => {
    const showId = await postHalf({ cron: '0 19 * * ? *' })
    await minutes(2)
    world.interceptors.aws = async (request, pass) => {
      if (isSchedule('POST')(request)) {
        world.interceptors.aws = (_request, pass) => pass()
        await call(world, `DELETE /shows/${showId}`)
      }
      return pass()
    }
    await sweep()
    expect((await state(showId)).status).toBe('stopped')
    expect(schedules()).toEqual([])
  })

  it('starts a show a quarter of an hour after its time if it was not started', async () => {
    const showId = await postHalf(at())
    await minutes(25)
    expect((await sweep()).started).toEqual([])
    await minutes(1)
    expect((await sweep()).started).toEqual([showId])
    expect(executions()).toMatchObject([{ name: showId }])
    expect((await state(showId)).status).toBe('starting')
  })

  it('reports why a show is too late to start', async () => {
    const showId = await postHalf(at())
    await minutes(11 + 60)
    expect(await sweep()).toMatchObject({ started: [], reported: [{ showId, status: 'failed' }] }) // an alarm rings
    expect(await result(showId)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^It was not started at its time, \S+Z, and that was noticed too late\./),
    })
    expect(world.ownerEvents.map((event) => event['detail-type'])).toContain('show.ended')
    expect(await invokeStart(showId)).toMatchObject({ outcome: 'unscheduled' })
    expect(world.calls).toEqual([])
    await minutes(16)
    expect(await sweep()).toMatchObject({ settled: [showId], reported: [] })
  })

  it('completes an interrupted report', async () => {
    const showId = await postHalf(at())
    await minutes(71)
    vi.spyOn(console, 'log').mockImplementation(() => {})
    world.interceptors.aws = refusing(isCall('PUT', /result\.json$/), 500)
    expect((await sweep()).failed).toEqual([showId])
    world.interceptors.aws = (_request, pass) => pass()
    expect((await sweep()).reported).toEqual([{ showId, status: 'failed' }])
    expect(await result(showId)).toMatchObject({ status: 'failed' })
  })

  it('completes an interrupted unscheduling, and opens no session for it', async () => {
    const showId = await post(at())
    world.interceptors.aws = refusing(isSchedule('DELETE'), 500)
    await call(world, `DELETE /shows/${showId}`)
    world.interceptors.aws = (_request, pass) => pass()
    expect(await result(showId)).toBeUndefined()
    expect((await sweep()).started).toEqual([])
    expect(await result(showId)).toMatchObject({ status: 'stopped', reason: 'It was unscheduled.' })
    expect([schedules(), executions(), world.calls]).toEqual([[], [], []])
    await minutes(16)
    expect((await sweep()).settled).toEqual([showId])
  })
})
