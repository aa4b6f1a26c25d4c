import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import { describe, expect, it } from 'vitest'
import { lambda, type SmallTemplate, temporaryFolder } from '../small-assembly.ts'
import { createSmallCloud, type SmallCloud } from '../small-cloud.ts'
import { ARN_OF_LOST, LOST, RULE, receive, resources } from './lost-queue.ts'

describe('dead-letter queues of functions', () => {
  const withFunction = (more: object, configs: SmallTemplate['Resources'] = {}) => {
    const seconds: number[] = []
    const fail = () => {
      seconds.push(small.clock.now() / 1000 - START_S)
      throw Object.assign(new Error('no such show'), { name: 'PlatformNotFoundError' })
    }
    const Targets = [{ Id: 'T', Arn: { Ref: 'V' } }]
    const small: SmallCloud = createSmallCloud(
      {
        Resources: {
          Lost: resources.Lost,
          Work: lambda('a', more),
          V: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Work' } } },
          Publish: { ...RULE, Properties: { ...RULE.Properties, Targets } },
          ...configs,
        },
      },
      { Work: fail },
    )
    const put = async () => {
      const Entries = [{ Source: 'showrunner', DetailType: 'notice', Detail: '{"a":1}' }]
      await small.connect(EventBridgeClient).send(new PutEventsCommand({ Entries }))
      await small.clock.advance(3 * 3_600_000)
      await small.cloud.settled()
    }
    return { small, put, seconds }
  }
  const START_S = Date.parse('2026-01-01T00:00:00Z') / 1000
  const config = (more: object, Qualifier = '1') => ({
    Config: {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: { FunctionName: { Ref: 'Work' }, Qualifier, ...more },
    },
  })
  const onFailure = { DestinationConfig: { OnFailure: { Destination: LOST } } }

  it('take the event itself after three attempts', async () => {
    const { small, put, seconds } = withFunction({ DeadLetterConfig: { TargetArn: LOST } })
    await put()
    expect(seconds).toEqual([0, 60, 180])
    const [message] = await receive(small, { MessageAttributeNames: ['.*'] })
    expect(JSON.parse(message?.Body ?? '')).toMatchObject({ source: 'showrunner', detail: { a: 1 } })
    expect(message?.MessageAttributes).toEqual({
      RequestID: { DataType: 'String', StringValue: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      ErrorCode: { DataType: 'Number', StringValue: '200' },
      ErrorMessage: { DataType: 'String', StringValue: 'no such show' },
    })
  })

  it('take a record of the invocation as its destination on failure', async () => {
    const { small, put, seconds } = withFunction({}, config({ ...onFailure, MaximumRetryAttempts: 1 }))
    await put()
    expect(seconds).toEqual([0, 60])
    const [message] = await receive(small)
    expect(JSON.parse(message?.Body ?? '')).toEqual({
      version: '1.0',
      timestamp: '2026-01-01T00:01:00.000Z',
      requestContext: {
        requestId: expect.any(String),
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Work:1',
        condition: 'RetriesExhausted',
        approximateInvokeCount: 2,
      },
      requestPayload: expect.objectContaining({ detail: { a: 1 } }),
      responseContext: { statusCode: 200, executedVersion: '1', functionError: 'Unhandled' },
      responsePayload: { errorType: 'PlatformNotFoundError', errorMessage: 'no such show' },
    })
  })

  it('take what has become too old to be tried again', async () => {
    const { small, put, seconds } = withFunction({}, config({ ...onFailure, MaximumEventAgeInSeconds: 90 }))
    await put()
    expect(seconds).toEqual([0, 60])
    const [message] = await receive(small)
    expect(JSON.parse(message?.Body ?? '')).toMatchObject({
      timestamp: '2026-01-01T00:01:30.000Z',
      requestContext: { condition: 'EventAgeExceeded', approximateInvokeCount: 2 },
    })
  })

  it('take nothing of a version that they are not configured for', async () => {
    const { small, put, seconds } = withFunction({}, config({ ...onFailure, MaximumRetryAttempts: 0 }, '$LATEST'))
    await put()
    expect(seconds).toEqual([0, 60, 180])
    expect(await receive(small)).toEqual([])
  })

  it.each<[string, object, SmallTemplate['Resources'], string]>([
    ['a dead-letter queue', { DeadLetterConfig: { TargetArn: 'arn:aws:sns:a:0:b' } }, {}, 'Work: arn:aws:sns:a:0:b is'],
    [
      'a destination',
      {},
      config({ DestinationConfig: { OnFailure: { Destination: 'a' } } }),
      'Config: a is not a queue',
    ],
    ['a destination on success', {}, config({ DestinationConfig: { OnSuccess: {} } }), 'OnSuccess of Destination'],
  ])('refuse %s that is not built', (_what, more, configs, message) => {
    expect(() => withFunction(more, configs)).toThrow(message)
  })
})

describe('dead-letter queues of schedules', () => {
  const TARGET = 'arn:aws:lambda:us-east-1:000000000000:function:Work'
  const template = { Resources: { ...resources, Work: lambda('a') } }
  const create = (small: SmallCloud, Arn = ARN_OF_LOST) =>
    small.connect(SchedulerClient).send(
      new CreateScheduleCommand({
        Name: 'webinar',
        ScheduleExpression: 'at(2026-01-01T00:10:00)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: TARGET,
          RoleArn: 'arn:aws:iam::0:role/a',
          Input: '{"id":"a"}',
          RetryPolicy: { MaximumEventAgeInSeconds: 60 },
          DeadLetterConfig: { Arn },
        },
      }),
    )
  /** Closes the cloud until after the schedule’s time, and restarts it with this template. */
  async function beAway(directory: string, later: typeof template, minutes: number): Promise<SmallCloud> {
    const first = createSmallCloud(template, {}, { directory })
    await create(first)
    await first.cloud.close()
    await first.clock.advance(minutes * 60_000)
    const second = createSmallCloud(later, {}, { directory, clock: first.clock })
    await first.clock.advance(0)
    return { ...second, clock: first.clock }
  }

  it('receive events that were due while the cloud was off and are too old', async () => {
    using folder = temporaryFolder()
    const small = await beAway(join(folder.path, 'cloud'), template, 30)
    const [message] = await receive(small, { MessageAttributeNames: ['All'] })
    expect(message?.Body).toBe('{"id":"a"}')
    expect(message?.MessageAttributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumEventAgeInSeconds' },
      SCHEDULE_ARN: { StringValue: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/webinar' },
      SCHEDULED_TIME: { StringValue: '2026-01-01T00:10:00Z' },
      TARGET_ARN: { StringValue: TARGET },
      RETRY_ATTEMPTS: { StringValue: '0' },
    })
    await small.cloud.close()
  })

  it('take what is for a function that the stack no longer has', async () => {
    using folder = temporaryFolder()
    const { Work: _, ...others } = template.Resources
    const small = await beAway(join(folder.path, 'cloud'), { Resources: others as typeof template.Resources }, 10)
    const [message] = await receive(small, { MessageAttributeNames: ['ERROR_CODE'] })
    expect(message?.MessageAttributes).toEqual({
      ERROR_CODE: { DataType: 'String', StringValue: 'ResourceNotFoundException' },
    })
    await small.cloud.close()
  })

  it('must be queues of the stack', async () => {
    const small = createSmallCloud(template)
    await expect(create(small, `${ARN_OF_LOST}-other`)).rejects.toThrow(
      'Target.DeadLetterConfig.Arn is not a queue of the stack.',
    )
  })
})
