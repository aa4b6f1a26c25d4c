import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../small-assembly.ts'
import { createSmallCloud, refusal, type SmallCloud } from '../small-cloud.ts'
import { ARN_OF_LOST, countOf, QueueUrl, receive, remove, resources, sqsOf } from './lost-queue.ts'

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
