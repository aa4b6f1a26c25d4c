import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { DAY_MS, openScheduler, targetOf } from './open-scheduler.ts'

describe('createScheduler', () => {
  it('runs a one-off schedule at its time in a zone, and keeps it afterwards', async () => {
    const { create, advance, advanceTo, ran, get, clock } = openScheduler({ at: '2026-07-01T00:00:00Z' })
    await create({ ScheduleExpression: 'at(2026-07-01T09:00:00)', ScheduleExpressionTimezone: 'Europe/Berlin' })
    await advanceTo('2026-07-01T06:59:59Z')
    expect(ran).toEqual([])
    await advance(DAY_MS)
    expect(ran).toEqual([{ at: '2026-07-01T07:00:00Z', on: '2026-07-01T07:00:00.000Z' }])
    expect(await get()).toMatchObject({ State: 'ENABLED' })
    expect(clock.nextDue()).toBeUndefined()
  })

  it('runs on the second Tuesday at nine in Berlin across both changes of the clocks', async () => {
    const { create, advanceTo, times } = openScheduler()
    await create({ ScheduleExpression: 'cron(0 9 ? * 3#2 *)', ScheduleExpressionTimezone: 'Europe/Berlin' })
    await advanceTo('2027-01-01T00:00:00Z')
    expect(times()).toEqual([
      '2026-01-13T08:00:00Z',
      '2026-02-10T08:00:00Z',
      '2026-03-10T08:00:00Z',
      '2026-04-14T07:00:00Z',
      '2026-05-12T07:00:00Z',
      '2026-06-09T07:00:00Z',
      '2026-07-14T07:00:00Z',
      '2026-08-11T07:00:00Z',
      '2026-09-08T07:00:00Z',
      '2026-10-13T07:00:00Z',
      '2026-11-10T08:00:00Z',
      '2026-12-08T08:00:00Z',
    ])
  })

  it('runs a rate at once, or from its start date, until its end date', async () => {
    const { create, advanceTo, times } = openScheduler()
    await create({ ScheduleExpression: 'rate(6 hours)', EndDate: new Date('2026-01-01T12:00:00Z') })
    const StartDate = new Date('2026-01-01T09:30:00Z')
    await create({
      Name: 'later',
      ScheduleExpression: 'rate(1 day)',
      StartDate,
      EndDate: new Date('2026-01-03T09:00:00Z'),
    })
    await advanceTo('2026-01-10T00:00:00Z')
    expect(times()).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T06:00:00Z',
      '2026-01-01T09:30:00Z',
      '2026-01-01T12:00:00Z',
      '2026-01-02T09:30:00Z',
    ])
  })

  it('deletes a schedule once it is complete if that was asked for, a recurring one after its end date', async () => {
    const { create, advance, times, list } = openScheduler()
    await create({ ActionAfterCompletion: 'DELETE' })
    const EndDate = new Date('2026-01-02T12:00:00Z')
    await create({ Name: 'daily', ScheduleExpression: 'cron(0 11 * * ? *)', ActionAfterCompletion: 'DELETE', EndDate })
    expect(await list()).toEqual(['daily', 'webinar'])
    await advance(DAY_MS)
    expect(await list()).toEqual(['daily'])
    await advance(DAY_MS)
    expect(await list()).toEqual([])
    expect(times()).toEqual(['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', '2026-01-02T11:00:00Z'])
  })

  it('runs no schedule that is disabled, deleted or moved to another time, and none once it is closed', async () => {
    const { create, update, remove, advance, times, cloud, clock } = openScheduler()
    await create({ State: 'DISABLED' })
    await create({ Name: 'deleted' })
    await remove('deleted')
    await create({ Name: 'moved' })
    await update({ Name: 'moved', ScheduleExpression: 'at(2026-01-01T20:00:00)' })
    await advance(DAY_MS)
    expect(times()).toEqual(['2026-01-01T20:00:00Z'])
    await create({ Name: 'closed', ScheduleExpression: 'at(2026-01-03T00:00:00)' })
    await cloud.close()
    expect(clock.nextDue()).toBeUndefined()
  })

  it('drops events older than their maximum age, as after a machine was asleep', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const stepped = createSteppedClock(now)
    // Timers of a machine that sleeps fire when it wakes up.
    const clock = { ...stepped, now: () => now }
    const { create, ran, cloud } = openScheduler({ clock })
    await create({ Target: targetOf({ RetryPolicy: { MaximumEventAgeInSeconds: 60 } }) })
    await create({ Name: 'patient' })
    now = Date.parse('2026-01-01T10:01:00Z')
    await stepped.advance(DAY_MS)
    await cloud.settled()
    expect(ran).toEqual([{ at: '2026-01-01T10:00:00Z', on: '2026-01-01T10:01:00.000Z' }])
  })

  it('does not run a one-off schedule again when it is changed afterwards', async () => {
    const { create, update, advance, times } = openScheduler()
    await create()
    await advance(DAY_MS / 2)
    await update({ Description: 'over' })
    await advance(DAY_MS)
    expect(times()).toEqual(['2026-01-01T10:00:00Z'])
  })

  it('replaces the attributes of an invocation in its input', async () => {
    const { create, advance, ran } = openScheduler()
    const names = ['scheduled-time', 'schedule-arn', 'execution-id'].map(
      (name) => `"${name}":"<aws.scheduler.${name}>"`,
    )
    const Input = `{${names.join()},"attempt":<aws.scheduler.attempt-number>,"other":"<aws.scheduler.other>"}`
    await create({ Target: targetOf({ Input }) })
    await advance(DAY_MS)
    expect(ran).toMatchObject([
      {
        'scheduled-time': '2026-01-01T10:00:00Z',
        'schedule-arn': 'arn:aws:scheduler:us-east-1:000000000000:schedule/shows/webinar',
        'execution-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        attempt: 1,
        other: '<aws.scheduler.other>',
      },
    ])
  })
})
