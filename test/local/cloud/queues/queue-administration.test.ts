import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { createSmallCloud, refusal } from '../small-cloud.ts'
import { QueueUrl as lost, resources } from './lost-queue.ts'

const openCloud = () => createSmallCloud({ Resources: resources })
const open = () => openCloud().connect(SQSClient)
const create = (sqs: SQSClient, retention: string) =>
  sqs.send(new CreateQueueCommand({ QueueName: 'mine', Attributes: { MessageRetentionPeriod: retention } }))

describe('createQueueAdministration', () => {
  it('creates a queue with its retention, once', async () => {
    const sqs = open()
    const { QueueUrl } = await create(sqs, '3600')
    expect((await create(sqs, '3600')).QueueUrl).toBe(QueueUrl)
    expect(await refusal(create(sqs, '60'))).toBe('QueueNameExists')
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: '{}' } }))
    const read = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['MessageRetentionPeriod'] }))
    expect(read.Attributes).toEqual({ MessageRetentionPeriod: '3600' })
  })

  it('lists queues by a prefix', async () => {
    const sqs = open()
    const { QueueUrl } = await create(sqs, '60')
    const list = async (QueueNamePrefix?: string) =>
      (await sqs.send(new ListQueuesCommand({ QueueNamePrefix }))).QueueUrls
    expect(await list()).toEqual(expect.arrayContaining([lost, QueueUrl]))
    expect([await list('mi'), await list('lo'), await list('x')]).toEqual([[QueueUrl], [lost], undefined])
  })

  it('deletes such a queue, and none of the stack', async () => {
    const sqs = open()
    const { QueueUrl } = await create(sqs, '60')
    await sqs.send(new DeleteQueueCommand({ QueueUrl }))
    expect(await refusal(sqs.send(new DeleteQueueCommand({ QueueUrl })))).toBe('QueueDoesNotExist')
    expect(await refusal(sqs.send(new DeleteQueueCommand({ QueueUrl: lost })))).toBe('UnsupportedOperation')
  })

  it('refuses the name of a deleted queue for a minute', async () => {
    const { clock, connect } = openCloud()
    const sqs = connect(SQSClient)
    const { QueueUrl } = await create(sqs, '60')
    await sqs.send(new DeleteQueueCommand({ QueueUrl }))
    await clock.advance(59_999)
    expect(await refusal(create(sqs, '60'))).toBe('QueueDeletedRecently')
    await clock.advance(1)
    expect((await create(sqs, '60')).QueueUrl).toBe(QueueUrl)
  })

  it('refuses other attributes', async () => {
    const Attributes = { FifoQueue: 'true' }
    const command = new CreateQueueCommand({ QueueName: 'mine', Attributes })
    expect(await refusal(open().send(command))).toBe('ValidationException')
  })
})
