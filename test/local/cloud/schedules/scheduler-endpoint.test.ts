import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  GetScheduleGroupCommand,
  ListSchedulesCommand,
  paginateListSchedules,
  ResourceNotFoundException,
  SchedulerClient,
  ValidationException,
} from '@aws-sdk/client-scheduler'
import { describe, expect, it } from 'vitest'
import { connectTo } from '../small-cloud.ts'
import { openScheduler, schedule, TARGET, targetOf } from './open-scheduler.ts'

describe('createSchedulerEndpoint', () => {
  it('creates, describes, updates and deletes a schedule', async () => {
    const { create, get, update, remove, clock } = openScheduler()
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

  it('creates a schedule once for one client token, and refuses another under its name', async () => {
    const { create, client } = openScheduler()
    const ClientToken = 'token-1'
    const { ScheduleArn } = await create({ ClientToken })
    expect((await create({ ClientToken })).ScheduleArn).toBe(ScheduleArn)
    await expect(create({ ClientToken, Description: 'other' })).rejects.toThrow(ConflictException)
    await expect(create()).rejects.toThrow(ConflictException)
    await client.send(new CreateScheduleCommand({ ...schedule(), GroupName: undefined })) // of the group `default`
  })

  it('lists schedules by group, prefix and state, and in pages', async () => {
    const { create, client, list } = openScheduler()
    for (const Name of ['a-1', 'a-2', 'b-1']) await create({ Name })
    await create({ Name: 'a-3', GroupName: 'default', State: 'DISABLED' })
    expect(await list({ GroupName: 'shows', NamePrefix: 'a-' })).toEqual(['a-1', 'a-2'])
    expect(await list({ State: 'DISABLED' })).toEqual(['a-3'])
    const pages: unknown[] = []
    for await (const page of paginateListSchedules({ client, pageSize: 3 }, {}))
      pages.push(page.Schedules?.map(({ Name }) => Name))
    expect(pages).toEqual([['a-3', 'a-1', 'a-2'], ['b-1']])
    const { Schedules: [first] = [] } = await client.send(new ListSchedulesCommand({ GroupName: 'shows' }))
    expect(first).toMatchObject({ Name: 'a-1', GroupName: 'shows', State: 'ENABLED', Target: { Arn: TARGET } })
  })

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
    ['another function', { Target: targetOf({ Arn: `${TARGET}2` }) }, 'Target.Arn is not a function of the stack.'],
    ['a queue', { Target: targetOf({ SqsParameters: {} }) }, 'Target.SqsParameters is not supported locally.'],
    ['an input that is not JSON', { Target: targetOf({ Input: 'a' }) }, 'Target.Input: must be JSON as text.'],
    ['no input', { Target: targetOf({ Input: undefined }) }, 'Target.Input'],
    [
      'an age beyond a day',
      { Target: targetOf({ RetryPolicy: { MaximumEventAgeInSeconds: 86_401 } }) },
      'MaximumEventAgeInSeconds',
    ],
  ])('refuses %s', async (_what, wrong, message) => {
    const { create, list } = openScheduler()
    const refused = create(wrong)
    await expect(refused).rejects.toThrow(ValidationException)
    await expect(refused).rejects.toThrow(message)
    expect(await list()).toEqual([])
  })

  it('refuses groups and schedules that do not exist, and operations that are not implemented', async () => {
    const { create, client, update } = openScheduler()
    await expect(create({ GroupName: 'other' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Schedule group other does not exist.',
    })
    await expect(update()).rejects.toThrow(ResourceNotFoundException)
    await expect(client.send(new GetScheduleGroupCommand({ Name: 'shows' }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    })
  })

  it('refuses requests without a signature, or signed with another key', async () => {
    const { cloud, clock } = openScheduler()
    const unsigned = await cloud.aws(new Request('http://aws.invalid/schedules'))
    expect(unsigned.status).toBe(403)
    const credentials = { ...cloud.credentials, secretAccessKey: 'guessed' }
    const forger = connectTo({ aws: cloud.aws, credentials }, clock, SchedulerClient)
    await expect(forger.send(new ListSchedulesCommand({}))).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  })
})
