import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StartOrder } from '../../../lib/show/document/starts/start.ts'
import { isCall, losingAnswers, overProtocol, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
  world.interceptors.aws = overProtocol
})
afterEach(() => world.close())

const list = () => world.scheduler.list({ ScheduleGroup: 'shows', MaxResults: 100 }).schedules
const on = (start: StartOrder, audienceWait = 1) => ({ start, audienceWait })
const at = on({ at: '2026-11-20T19:00:30', zone: 'Europe/Berlin' })
const isSchedule = (method: string) => isCall(method, /^\/schedules\/a-show$/)

describe('createSchedules', () => {
  it('makes schedules that call their target with the show and the time', async () => {
    await world.services.schedules.create('a-show', at)
    expect(list()).toMatchObject([
      {
        name: 'a-show',
        input: {
          ScheduleExpression: 'at(2026-11-20T19:00:30)',
          Target: {
            Arn: 'arn:aws:lambda:us-east-1:000000000000:function:start-show',
            RoleArn: 'arn:aws:iam::000000000000:role/schedules',
            RetryPolicy: { MaximumEventAgeInSeconds: 3_600 },
          },
        },
      },
    ])
  })

  it('adds the seconds that Scheduler requires', async () => {
    await world.services.schedules.create('a-show', on({ at: '2026-12-01T19:00', zone: 'UTC' }))
    expect(list()[0]?.input.ScheduleExpression).toBe('at(2026-12-01T19:00:00)')
  })

  it('spreads starts of one time over a minute by their ids, as far as the wait for the audience allows', async () => {
    const seconds = async (count: number, audienceWait: number) => {
      const start = { at: '2026-12-01T19:00', zone: 'Europe/Berlin' }
      for (let index = 0; index < count; index++)
        await world.services.schedules.create(`show-${audienceWait}-${index}`, { start, audienceWait })
      return list()
        .filter(({ name }) => name.startsWith(`show-${audienceWait}-`))
        .map(({ input }) => Number(/at\(2026-12-01T19:00:(\d\d)\)/.exec(input.ScheduleExpression)?.[1]))
    }
    const patient = await seconds(40, 900)
    expect(Math.max(...patient)).toBeLessThan(60)
    expect(new Set(patient).size).toBeGreaterThan(20)
    expect(Math.max(...(await seconds(20, 60)))).toBeLessThan(4)
    expect(new Set(await seconds(10, 14))).toEqual(new Set([0]))
  })

  it('leaves out a delay in which clocks change', async () => {
    const start = { at: '2027-03-28T01:59:59', zone: 'Europe/Berlin' }
    await world.services.schedules.create('a-show', { start, audienceWait: 900 })
    expect(list()[0]?.input.ScheduleExpression).toBe('at(2027-03-28T01:59:59)')
  })

  it('names the first of two equal local times in UTC', async () => {
    await world.services.schedules.create('a-show', on({ at: '2027-10-31T02:30', zone: 'Europe/Berlin' }))
    expect(list()[0]?.input).toMatchObject({
      ScheduleExpression: 'at(2027-10-31T00:30:00)',
      ScheduleExpressionTimezone: 'UTC',
    })
  })

  it('ends a series after its last day', async () => {
    await world.services.schedules.create(
      'a-show',
      on({ cron: '0 9 * * ? *', zone: 'Europe/Berlin', until: '2026-11-22' }),
    )
    await world.clock.advance(10 * 86_400_000)
    expect(world.due).toMatchObject([{ scheduledAt: '2026-11-21T08:00:00Z' }, { scheduledAt: '2026-11-22T08:00:00Z' }])
    expect(world.due).toHaveLength(2)
    expect(list()).toEqual([])
  })

  it('keeps to the wall clock of the zone across a change of its clocks', async () => {
    await world.services.schedules.create('a-show', on({ cron: '0 9 27,28 3 ? 2027', zone: 'Europe/Berlin' }))
    await world.clock.advance(130 * 86_400_000)
    expect(world.due).toMatchObject([{ scheduledAt: '2027-03-27T08:00:00Z' }, { scheduledAt: '2027-03-28T07:00:00Z' }])
  })

  it('leaves one as it is that is there already', async () => {
    world.interceptors.aws = losingAnswers(isSchedule('POST'))
    await expect(world.services.schedules.create('a-show', at)).rejects.toMatchObject({ name: 'ServiceError' })
    await world.services.schedules.create('a-show', at)
    expect(list()).toHaveLength(1)
  })

  it('returns whether a schedule exists', async () => {
    expect(await world.services.schedules.exists('a-show')).toBe(false)
    await world.services.schedules.create('a-show', at)
    expect(await world.services.schedules.exists('a-show')).toBe(true)
    world.interceptors.aws = refusing(isSchedule('GET'), 500)
    await expect(world.services.schedules.exists('a-show')).rejects.toMatchObject({ name: 'ServiceError' })
  })

  it('deletes a schedule, if it exists', async () => {
    await world.services.schedules.create('a-show', at)
    await world.services.schedules.delete('a-show')
    await world.services.schedules.delete('a-show')
    expect(list()).toEqual([])
  })

  it('reports times that Scheduler does not accept', async () => {
    const never = on({ cron: '0 9 31 2 * *', zone: 'UTC' })
    await expect(world.services.schedules.create('a-show', never)).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^The schedule is not accepted: ./),
    })
  })

  it.each(['POST', 'DELETE'])('fails so that it can be retried when Scheduler does (%s)', async (method) => {
    world.interceptors.aws = refusing(isSchedule(method), 500)
    const { schedules } = world.services
    await expect(method === 'POST' ? schedules.create('a-show', at) : schedules.delete('a-show')).rejects.toMatchObject(
      {
        name: 'ServiceError',
        message: expect.stringMatching(/^EventBridge Scheduler failed while /),
      },
    )
  })
})
