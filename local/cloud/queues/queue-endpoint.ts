import { createHash } from 'node:crypto'
import { AwsError, createJsonService, type JsonInput } from '../endpoint/aws-json.ts'
import { ACCOUNT } from '../intrinsics.ts'
import { createQueueAdministration } from './queue-administration.ts'
import { type Message, type QueueSpec, type Queues, queueArn } from './queues.ts'

/** SQS API reference, "ReceiveMessage". */
const MAX_CONCURRENT = 10
const MAX_VISIBILITY_S = 43_200

/** Creates the handler of SQS’s JSON protocol, with the operations for inspecting and emptying a queue, and for adding one for a while. */
export function createQueueEndpoint(queues: Queues, awsUrl: string): (request: Request) => Promise<Response> {
  const find = ({ QueueUrl: url }: JsonInput): QueueSpec => {
    const path = URL.parse(String(url))?.pathname
    const spec = queues.specs.find(({ name }) => path === `/${ACCOUNT}/${name}`)
    if (!spec) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.')
    return spec
  }

  return createJsonService({
    ...createQueueAdministration({ queues, awsUrl, find }),
    GetQueueUrl: {
      takes: ['QueueName', 'QueueOwnerAWSAccountId'],
      run({ QueueName: name }) {
        const spec = queues.specs.find((one) => one.name === name)
        return { QueueUrl: find({ QueueUrl: spec?.url }).url }
      },
    },
    GetQueueAttributes: {
      takes: ['QueueUrl', 'AttributeNames'],
      run(input) {
        const spec = find(input)
        const { visible, hidden } = queues.count(spec)
        const attributes = {
          QueueArn: queueArn(spec.name),
          ApproximateNumberOfMessages: visible,
          ApproximateNumberOfMessagesNotVisible: hidden,
          ApproximateNumberOfMessagesDelayed: 0,
          MessageRetentionPeriod: spec.retention,
          VisibilityTimeout: spec.visibility,
        }
        const names = listOf(input, 'AttributeNames')
        const unknown = names.find((name) => name !== 'All' && !Object.hasOwn(attributes, name))
        if (unknown) throw new AwsError('InvalidAttributeName', `The attribute ${unknown} is not supported locally.`)
        return { Attributes: toText(pick(attributes, names)) }
      },
    },
    ReceiveMessage: {
      takes: [
        'QueueUrl',
        'MaxNumberOfMessages',
        'VisibilityTimeout',
        'WaitTimeSeconds',
        'AttributeNames',
        'MessageSystemAttributeNames',
        'MessageAttributeNames',
      ],
      run(input) {
        const spec = find(input)
        const most = numberOf(input, 'MaxNumberOfMessages', { initial: 1, least: 1, most: MAX_CONCURRENT })
        const visibility = numberOf(input, 'VisibilityTimeout', {
          initial: spec.visibility,
          least: 0,
          most: MAX_VISIBILITY_S,
        })
        numberOf(input, 'WaitTimeSeconds', { initial: 0, least: 0, most: 0 }) // only short polling is supported
        const system = [...listOf(input, 'AttributeNames'), ...listOf(input, 'MessageSystemAttributeNames')]
        const custom = listOf(input, 'MessageAttributeNames').map((name) => (name === '.*' ? 'All' : name))
        const messages = queues.receive(spec, most, visibility)
        return messages.length === 0 ? {} : { Messages: messages.map((message) => describe(message, system, custom)) }
      },
    },
    DeleteMessage: {
      takes: ['QueueUrl', 'ReceiptHandle'],
      run(input) {
        queues.remove(find(input), String(input.ReceiptHandle))
        return {}
      },
    },
  })
}

function describe(message: Message, system: readonly string[], custom: readonly string[]): object {
  const { id, body, receipt, sent, received, firstReceived } = message
  const about = {
    SenderId: ACCOUNT,
    SentTimestamp: sent,
    ApproximateReceiveCount: received,
    ApproximateFirstReceiveTimestamp: firstReceived,
  }
  const attributes = Object.entries(pick(message.attributes, custom)).map(([name, { type, value }]) => {
    return [name, { DataType: type, StringValue: value }]
  })
  return {
    MessageId: id,
    ReceiptHandle: receipt,
    MD5OfBody: createHash('md5').update(body).digest('hex'), // clients compare it
    Body: body,
    ...(system.length > 0 && { Attributes: toText(pick(about, system)) }),
    ...(attributes.length > 0 && { MessageAttributes: Object.fromEntries(attributes) }),
  }
}

function pick<Value>(members: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  const asked = Object.entries(members).filter(([name]) => names.includes('All') || names.includes(name))
  return Object.fromEntries(asked)
}

const toText = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]))

function listOf(input: JsonInput, name: string): string[] {
  const value = input[name] ?? []
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw new AwsError('InvalidParameterValue', `${name} must be a list of names.`)
}

function numberOf(
  input: JsonInput,
  name: string,
  { initial, least, most }: Record<'initial' | 'least' | 'most', number>,
) {
  const value = input[name] ?? initial
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value)
  throw new AwsError('InvalidParameterValue', `${name} must be a whole number from ${least} to ${most}.`)
}
