import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { lambda, type SmallTemplate, temporaryFolder } from '../small-assembly.ts'
import { connectTo, createSmallCloud, refusal, type SmallCloud } from '../small-cloud.ts'

const URL_OF_LOST = 'http://aws.invalid/000000000000/lost'
const ARN_OF_LOST = 'arn:aws:sqs:us-east-1:000000000000:lost'
const LOST = { 'Fn::GetAtt': ['Lost', 'Arn'] }
const MACHINE = {
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName: 'sweep',
    DefinitionString: '{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Succeed"}}}',
  },
}
const RULE = {
  Type: 'AWS::Events::Rule',
  Properties: {
    Name: 'notice',
    EventPattern: { source: ['showrunner'] },
    Targets: [{ Id: 'T', Arn: { Ref: 'Sweep' }, DeadLetterConfig: { Arn: LOST } }],
  },
}
const resources = {
  Lost: {
    Type: 'AWS::SQS::Queue',
    Properties: { QueueName: 'lost', VisibilityTimeout: 30, MessageRetentionPeriod: 1_209_600 },
  },
  Unnamed: { Type: 'AWS::SQS::Queue' },
  Sweep: MACHINE,
  Told: RULE,
}

const QueueUrl = URL_OF_LOST
const sqsOf = ({ cloud, clock }: Pick<SmallCloud, 'cloud' | 'clock'>) => connectTo(cloud, clock, SQSClient)

const receive = async (small: SmallCloud, more: object = {}) =>
  (await sqsOf(small).send(new ReceiveMessageCommand({ QueueUrl, ...more }))).Messages ?? []

const remove = (small: SmallCloud, ReceiptHandle: string | undefined) =>
  sqsOf(small).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))

const countOf = async (small: SmallCloud) =>
  (await sqsOf(small).send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ?? {}

/** Puts an event that is too large for an execution, so that it lands in the queue. */
async function lose({ connect }: SmallCloud, mark = 'x') {
  const Detail = JSON.stringify({ mark, text: 'x'.repeat(262_144) })
  const Entries = [{ Source: 'showrunner', DetailType: 'notice', Detail }]
  await connect(EventBridgeClient).send(new PutEventsCommand({ Entries }))
}

const open = (directory?: string) => createSmallCloud({ Resources: resources }, {}, directory ? { directory } : {})

describe('createQueueEndpoint', () => {
  it('takes what a rule could not deliver, and says why', async () => {
    const small = open()
    await lose(small)
    const [message] = await receive(small, { AttributeNames: ['All'], MessageAttributeNames: ['All'] })
    const { Body = '', MD5OfBody, Attributes, MessageAttributes } = message ?? {}
    expect(JSON.parse(Body)).toMatchObject({ source: 'showrunner', detail: { mark: 'x' } })
    expect(MD5OfBody).toBe(createHash('md5').update(Body).digest('hex'))
    expect(Attributes).toMatchObject({ ApproximateReceiveCount: '1', SentTimestamp: String(small.clock.now()) })
    expect(MessageAttributes).toMatchObject({
      RULE_ARN: { DataType: 'String', StringValue: 'arn:aws:events:us-east-1:000000000000:rule/notice' },
      TARGET_ARN: { StringValue: 'arn:aws:states:us-east-1:000000000000:stateMachine:sweep' },
      ERROR_CODE: { StringValue: 'SDK_CLIENT_ERROR' },
      ERROR_MESSAGE: { StringValue: expect.stringContaining('larger than 262144 bytes') },
    })
  })

  it('hides a message that was received, and gives it out again when it was not deleted', async () => {
    const small = open()
    await lose(small)
    const [first] = await receive(small)
    expect(first).not.toHaveProperty('Attributes')
    expect(first).not.toHaveProperty('MessageAttributes')
    expect(await receive(small)).toEqual([])
    expect(await countOf(small)).toMatchObject({
      QueueArn: ARN_OF_LOST,
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '1',
      VisibilityTimeout: '30',
    })
    await small.clock.advance(30_000)
    const [second] = await receive(small, { MessageSystemAttributeNames: ['ApproximateReceiveCount'] })
    expect(second).toMatchObject({ MessageId: first?.MessageId, Attributes: { ApproximateReceiveCount: '2' } })
    await remove(small, first?.ReceiptHandle) // an older receipt
    expect((await countOf(small)).ApproximateNumberOfMessagesNotVisible).toBe('1')
    await remove(small, second?.ReceiptHandle)
    await small.clock.advance(30_000)
    expect(await receive(small)).toEqual([])
  })

  it('gives out several at once, oldest first, and as visible as it is asked to', async () => {
    const small = open()
    for (const mark of ['a', 'b', 'c']) await lose(small, mark)
    const marks = (messages: { Body?: string | undefined }[]) =>
      messages.map(({ Body = '' }) => JSON.parse(Body).detail.mark)
    expect(marks(await receive(small, { MaxNumberOfMessages: 2, VisibilityTimeout: 0 }))).toEqual(['a', 'b'])
    expect(marks(await receive(small, { MaxNumberOfMessages: 10 }))).toEqual(['a', 'b', 'c'])
  })

  it('forgets messages after their retention', async () => {
    const small = open()
    await lose(small)
    await small.clock.advance(14 * 86_400_000 - 1)
    expect((await countOf(small)).ApproximateNumberOfMessages).toBe('1')
    await small.clock.advance(1)
    expect((await countOf(small)).ApproximateNumberOfMessages).toBe('0')
  })

  it('finds queues by name, also those whose name was made up', async () => {
    const sqs = sqsOf(open())
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'small-unnamed' }))
    expect(QueueUrl).toBe('http://aws.invalid/000000000000/small-unnamed')
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['MessageRetentionPeriod'] }),
    )
    expect(Attributes).toEqual({ MessageRetentionPeriod: '345600' })
  })

  it.each<[string, ConstructorParameters<typeof ReceiveMessageCommand>[0], string]>([
    ['another queue', { QueueUrl: 'http://a/0/other' }, 'QueueDoesNotExist'],
    ['too many at once', { QueueUrl, MaxNumberOfMessages: 11 }, 'InvalidParameterValue'],
    ['to hide messages for longer than a day', { QueueUrl, VisibilityTimeout: 86_401 }, 'InvalidParameterValue'],
    ['long polling', { QueueUrl, WaitTimeSeconds: 20 }, 'InvalidParameterValue'],
    ['a FIFO queue’s attempt', { QueueUrl, ReceiveRequestAttemptId: 'a' }, 'ValidationException'],
  ])('refuses %s', async (_what, input, name) => {
    expect(await refusal(sqsOf(open()).send(new ReceiveMessageCommand(input)))).toBe(name)
  })

  it('refuses what it takes no more than a dead-letter queue to do', async () => {
    const sqs = sqsOf(open())
    expect(await refusal(sqs.send(new GetQueueUrlCommand({ QueueName: 'other' })))).toBe('QueueDoesNotExist')
    const unknown = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['Policy'] })
    expect(await refusal(sqs.send(unknown))).toBe('InvalidAttributeName')
    const message = new SendMessageCommand({ QueueUrl, MessageBody: 'a' })
    expect(await refusal(sqs.send(message))).toBe('UnknownOperationException')
    const redrive = new StartMessageMoveTaskCommand({ SourceArn: ARN_OF_LOST })
    expect(await refusal(sqs.send(redrive))).toBe('UnknownOperationException')
  })

  it('keeps messages for the next start, in a file for its owner alone', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = open(directory)
    await lose(first, 'kept')
    await first.cloud.close()
    expect(statSync(join(directory, 'queues.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, 'queues.json'), 'utf8')).toContain('kept')
    const second = open(directory)
    expect(await receive(second)).toHaveLength(1)
    await second.cloud.close()
  })
})

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
          Told: { ...RULE, Properties: { ...RULE.Properties, Targets } },
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
