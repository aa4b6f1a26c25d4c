import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  GetScheduleGroupCommand,
  ListSchedulesCommand,
  paginateListSchedules,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
  ValidationException,
} from '@aws-sdk/client-scheduler'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { lambda, temporaryFolder } from '../small-assembly.ts'
import { connectTo, createSmallCloud } from '../small-cloud.ts'

const TARGET = 'arn:aws:lambda:us-east-1:000000000000:function:StartShow'
const GROUP = { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'shows' } }
const resources = { StartShow: lambda('a'), Group: GROUP }
const DAY_MS = 86_400_000

/** A schedule that notes when it ran, and for when. */
const schedule = (more: Partial<CreateScheduleCommandInput> = {}): CreateScheduleCommandInput => ({
  Name: 'webinar',
  GroupName: 'shows',
  ScheduleExpression: 'at(2026-01-01T10:00:00)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: TARGET, RoleArn: 'arn:aws:iam::0:role/a', Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
  ...more,
})

function open({
  at = '2026-01-01T00:00:00Z',
  clock = createSteppedClock(Date.parse(at)),
  directory = '',
  template = resources as object,
} = {}) {
  const ran: { at: string; on: string }[] = []
  const { cloud } = createSmallCloud(
    { Resources: template as typeof resources },
    { StartShow: (event: { at: string }) => ran.push({ ...event, on: new Date(clock.now()).toISOString() }) },
    { clock, ...(directory && { directory }) },
  )
  const client = connectTo(cloud, clock, SchedulerClient)
  const advance = async (ms: number) => {
    await clock.advance(ms)
    await cloud.settled()
  }
  return {
    cloud,
    clock,
    client,
    ran,
    /** The scheduled times of what ran so far. */
    times: () => ran.map((event) => event.at),
    create: (more?: Partial<CreateScheduleCommandInput>) => client.send(new CreateScheduleCommand(schedule(more))),
    update: (more?: Partial<CreateScheduleCommandInput>) => client.send(new UpdateScheduleCommand(schedule(more))),
    get: (Name = 'webinar') => client.send(new GetScheduleCommand({ Name, GroupName: 'shows' })),
    remove: (Name = 'webinar') => client.send(new DeleteScheduleCommand({ Name, GroupName: 'shows' })),
    advance,
    advanceTo: (time: string) => advance(Date.parse(time) - clock.now()),
  }
}

describe('createScheduler', () => {
  it('creates, describes, updates and deletes a schedule', async () => {
    const { create, get, update, remove, clock } = open()
    const ScheduleArn = 'arn:aws:scheduler:us-east-1:000000000000:schedule/shows/webinar'
    expect(await create({ Description: 'first' })).toMatchObject({ ScheduleArn })
    const created = new Date(clock.now())
    expect(await get()).toMatchObject({
      Arn: ScheduleArn,
      Name: 'webinar',
      GroupName: 'shows',
      Description: 'first',
      ScheduleExpression: 'at(2026-01-01T10:00:00)',
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      ActionAfterCompletion: 'NONE',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: TARGET, RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 } },
      CreationDate: created,
      LastModificationDate: created,
    })
    await clock.advance(60_000)
    await update({ ScheduleExpression: 'rate(1 hour)', StartDate: new Date('2026-01-02T00:00:00Z') })
    const updated = await get()
    expect(updated).toMatchObject({
      ScheduleExpression: 'rate(1 hour)',
      StartDate: new Date('2026-01-02T00:00:00Z'),
      CreationDate: created,
      LastModificationDate: new Date(clock.now()),
    })
    expect(updated.Description).toBeUndefined() // what is left out of an update takes its default
    await remove()
    await expect(get()).rejects.toThrow(ResourceNotFoundException)
    await expect(remove()).rejects.toThrow(ResourceNotFoundException)
  })

  it('runs once at a time in a zone, and only says so afterwards', async () => {
    const { create, advance, advanceTo, ran, get, clock } = open({ at: '2026-07-01T00:00:00Z' })
    await create({ ScheduleExpression: 'at(2026-07-01T09:00:00)', ScheduleExpressionTimezone: 'Europe/Berlin' })
    await advanceTo('2026-07-01T06:59:59Z')
    expect(ran).toEqual([])
    await advance(DAY_MS)
    expect(ran).toEqual([{ at: '2026-07-01T07:00:00Z', on: '2026-07-01T07:00:00.000Z' }])
    expect(await get()).toMatchObject({ State: 'ENABLED' })
    expect(clock.nextDue()).toBeUndefined()
  })

  it('runs on the second Tuesday at nine in Berlin across both changes of the clocks', async () => {
    const { create, advanceTo, times } = open()
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

  it('runs a rate at once, or from its start on, and until its end', async () => {
    const { create, advanceTo, times } = open()
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

  it('deletes what is complete when asked to, a recurring one with its end', async () => {
    const { create, advance, times, client } = open()
    await create({ ActionAfterCompletion: 'DELETE' })
    const EndDate = new Date('2026-01-02T12:00:00Z')
    await create({ Name: 'daily', ScheduleExpression: 'cron(0 11 * * ? *)', ActionAfterCompletion: 'DELETE', EndDate })
    const names = async () => (await client.send(new ListSchedulesCommand({}))).Schedules?.map(({ Name }) => Name)
    expect(await names()).toEqual(['daily', 'webinar'])
    await advance(DAY_MS)
    expect(await names()).toEqual(['daily'])
    await advance(DAY_MS)
    expect(await names()).toEqual([])
    expect(times()).toEqual(['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', '2026-01-02T11:00:00Z'])
  })

  it('runs nothing that is disabled, deleted, changed to another time, or whose cloud is closed', async () => {
    const { create, update, remove, advance, times, cloud, clock } = open()
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

  it('drops events older than their maximum age, as after this machine was asleep', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const stepped = createSteppedClock(now)
    // Timers of a machine that sleeps come when it wakes up.
    const clock = { ...stepped, now: () => now }
    const { create, ran, cloud } = open({ clock })
    const Target = schedule().Target as { Arn: string; RoleArn: string }
    await create({ Target: { ...Target, RetryPolicy: { MaximumEventAgeInSeconds: 60 } } })
    await create({ Name: 'patient', Target })
    now = Date.parse('2026-01-01T10:01:00Z')
    await stepped.advance(DAY_MS)
    await cloud.settled()
    expect(ran).toEqual([{ at: '2026-01-01T10:00:00Z', on: '2026-01-01T10:01:00.000Z' }])
  })

  it('does not run a one-off schedule a second time when it is changed afterwards', async () => {
    const { create, update, advance, times } = open()
    await create()
    await advance(DAY_MS / 2)
    await update({ Description: 'over' })
    await advance(DAY_MS)
    expect(times()).toEqual(['2026-01-01T10:00:00Z'])
  })

  it('replaces the attributes of an invocation in its input', async () => {
    const { create, advance, ran } = open()
    const names = ['scheduled-time', 'schedule-arn', 'execution-id'].map(
      (name) => `"${name}":"<aws.scheduler.${name}>"`,
    )
    const Input = `{${names.join()},"attempt":<aws.scheduler.attempt-number>,"other":"<aws.scheduler.other>"}`
    await create({ Target: { Arn: TARGET, RoleArn: 'arn:aws:iam::0:role/a', Input } })
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

  it('creates a schedule once for one client token, and refuses another under its name', async () => {
    const { create, client } = open()
    const ClientToken = 'token-1'
    const { ScheduleArn } = await create({ ClientToken })
    expect((await create({ ClientToken })).ScheduleArn).toBe(ScheduleArn)
    await expect(create({ ClientToken, Description: 'other' })).rejects.toThrow(ConflictException)
    await expect(create()).rejects.toThrow(ConflictException)
    await client.send(new CreateScheduleCommand({ ...schedule(), GroupName: undefined })) // of the group `default`
  })

  it('lists by group, prefix and state, and in pages', async () => {
    const { create, client } = open()
    for (const Name of ['a-1', 'a-2', 'b-1']) await create({ Name })
    await create({ Name: 'a-3', GroupName: 'default', State: 'DISABLED' })
    const list = async (filter: object) =>
      (await client.send(new ListSchedulesCommand(filter))).Schedules?.map(({ Name }) => Name)
    expect(await list({ GroupName: 'shows', NamePrefix: 'a-' })).toEqual(['a-1', 'a-2'])
    expect(await list({ State: 'DISABLED' })).toEqual(['a-3'])
    const pages: unknown[] = []
    for await (const page of paginateListSchedules({ client, pageSize: 3 }, {}))
      pages.push(page.Schedules?.map(({ Name }) => Name))
    expect(pages).toEqual([['a-3', 'a-1', 'a-2'], ['b-1']])
    const { Schedules: [first] = [] } = await client.send(new ListSchedulesCommand({ GroupName: 'shows' }))
    expect(first).toMatchObject({ Name: 'a-1', GroupName: 'shows', State: 'ENABLED', Target: { Arn: TARGET } })
  })

  const target = (more: object) => ({ Target: { ...(schedule().Target as object), ...more } as never })

  it.each<[string, Partial<CreateScheduleCommandInput>, string]>([
    ['an expression of no kind', { ScheduleExpression: 'daily' }, 'daily is neither rate(…), cron(…) nor at(…).'],
    ['a wrong cron', { ScheduleExpression: 'cron(0 9 * * ?)' }, 'must have six fields'],
    ['a zone that is not there', { ScheduleExpressionTimezone: 'Mars/Base' }, 'Mars/Base is not a time zone'],
    [
      'a flexible window',
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 } },
      'FlexibleTimeWindow',
    ],
    ['a name with other characters', { Name: 'a b/c' }, 'Name: must have 1 to 64 letters'],
    ['a name that is too long', { Name: 'a'.repeat(65) }, 'Name: must have 1 to 64 letters'],
    ['an end before its start', { StartDate: new Date(2e12), EndDate: new Date(1.9e12) }, 'EndDate must be later than'],
    ['an end that has passed', { EndDate: new Date(1e12) }, 'EndDate must be later than'],
    ['a KMS key', { KmsKeyArn: 'arn:aws:kms:a' }, 'KmsKeyArn is not supported locally.'],
    ['another function', target({ Arn: `${TARGET}2` }), 'Target.Arn is not a function of the stack.'],
    ['a queue', target({ SqsParameters: {} }), 'Target.SqsParameters is not supported locally.'],
    ['an input that is not JSON', target({ Input: 'a' }), 'Target.Input: must be JSON as text.'],
    ['no input', target({ Input: undefined }), 'Target.Input'],
    ['an age beyond a day', target({ RetryPolicy: { MaximumEventAgeInSeconds: 86_401 } }), 'MaximumEventAgeInSeconds'],
  ])('refuses %s', async (_what, wrong, message) => {
    const { create, client } = open()
    const refused = create(wrong)
    await expect(refused).rejects.toThrow(ValidationException)
    await expect(refused).rejects.toThrow(message)
    expect((await client.send(new ListSchedulesCommand({}))).Schedules).toEqual([])
  })

  it('refuses groups that the stack does not have, and operations that are not built', async () => {
    const { create, client, update } = open()
    await expect(create({ GroupName: 'other' })).rejects.toThrow('Schedule group other does not exist.')
    await expect(create({ GroupName: 'other' })).rejects.toThrow(ResourceNotFoundException)
    await expect(update()).rejects.toThrow(ResourceNotFoundException)
    await expect(client.send(new GetScheduleGroupCommand({ Name: 'shows' }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    })
  })

  it('refuses requests without a signature, or with another key’s', async () => {
    const { cloud, clock } = open()
    const unsigned = await cloud.aws(new Request('http://aws.invalid/schedules'))
    expect(unsigned.status).toBe(403)
    const credentials = { ...cloud.credentials, secretAccessKey: 'guessed' }
    const forger = connectTo({ aws: cloud.aws, credentials }, clock, SchedulerClient)
    await expect(forger.send(new ListSchedulesCommand({}))).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  })
})

describe('createScheduler with a directory', () => {
  /** Creates schedules, closes the scheduler, and restarts it. */
  async function beAway(inputs: Partial<CreateScheduleCommandInput>[], { back }: { back: string }) {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const before = open({ directory })
    for (const input of inputs) await before.create(input)
    await before.advance(3_600_000)
    await before.cloud.close()
    const after = open({ directory, at: back })
    await after.advance(0)
    const left = (await after.client.send(new ListSchedulesCommand({}))).Schedules?.map(({ Name }) => Name)
    await after.cloud.close()
    return { ran: after.ran, left }
  }

  it('takes schedules up again, to the same times as before', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = open({ directory })
    await first.create({ ScheduleExpression: 'rate(3 hours)' })
    await first.advance(3_600_000)
    await first.cloud.close()
    expect(first.times()).toEqual(['2026-01-01T00:00:00Z'])
    expect(statSync(join(directory, 'schedules.json')).mode & 0o777).toBe(0o600)

    const second = open({ directory, at: '2026-01-01T02:00:00Z' })
    await second.advanceTo('2026-01-01T06:00:00Z')
    expect(second.times()).toEqual(['2026-01-01T03:00:00Z', '2026-01-01T06:00:00Z'])
    expect(readFileSync(join(directory, 'schedules.json'), 'utf8')).toContain('rate(3 hours)')
    await second.cloud.close()
  })

  it('runs at once what was due while it was closed, within the maximum age of events', async () => {
    const back = '2026-01-01T10:04:00Z'
    const age = (MaximumEventAgeInSeconds: number) => ({
      Target: { ...(schedule().Target as { Arn: string; RoleArn: string }), RetryPolicy: { MaximumEventAgeInSeconds } },
    })
    const { ran, left } = await beAway(
      [
        { Name: 'kept', ...age(300) },
        { Name: 'dropped', ...age(240) },
        { Name: 'deleted', ...age(60), ActionAfterCompletion: 'DELETE' },
        {
          Name: 'recurring',
          ScheduleExpression: 'cron(0/2 * * * ? *)',
          StartDate: new Date('2026-01-01T09:00:00Z'),
          ...age(300),
        },
      ],
      { back },
    )
    const on = '2026-01-01T10:04:00.000Z'
    expect(ran.sort((a, b) => a.at.localeCompare(b.at))).toEqual([
      { at: '2026-01-01T10:00:00Z', on },
      { at: '2026-01-01T10:00:00Z', on },
      { at: '2026-01-01T10:02:00Z', on },
      { at: '2026-01-01T10:04:00Z', on },
    ])
    expect(left).toEqual(['dropped', 'kept', 'recurring'])
  })

  it('forgets the schedules of a group that the stack no longer has', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = open({ directory })
    await first.create()
    await first.cloud.close()
    const second = open({ directory, template: { StartShow: lambda('a') } })
    expect((await second.client.send(new ListSchedulesCommand({}))).Schedules).toEqual([])
    expect(second.clock.nextDue()).toBeUndefined()
    await second.cloud.close()
  })
})
