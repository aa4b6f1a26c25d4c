import { GetQueueAttributesCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs'
import type { Outputs } from '../outputs.ts'

/** A dead-letter queue, and to whom its messages are handed over once more. */
export interface DeadLetters {
  /** Of the function or trigger that the queue belongs to. */
  readonly name: string
  /** URL. */
  readonly queue: string
  /** ARN of a function or a machine. */
  readonly target: string
}

const SUFFIX = 'DeadLetters'

/** Every queue that a stack names in its outputs. @throws Error when they are of a stack that names none */
export function deadLettersOf(outputs: Outputs): DeadLetters[] {
  const named = Object.entries(outputs).filter(([output]) => output.endsWith(SUFFIX))
  if (named.length === 0) throw new Error('The stack names no queues in its outputs: deploy it again.')
  return named
    .map(([output, value]) => ({ name: output.slice(0, -SUFFIX.length), ...JSON.parse(value) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** @throws Error naming all of them when there is none of that name */
export function findDeadLetters(outputs: Outputs, name: string): DeadLetters {
  const all = deadLettersOf(outputs)
  const found = all.find((one) => one.name === name)
  if (!found) throw new Error(`There is no queue of ${name}: choose ${all.map((one) => one.name).join(', ')}.`)
  return found
}

/** How many messages a queue has, as SQS estimates it. */
export interface WaitingMessages {
  readonly name: string
  readonly waiting: number
  /** Somebody received them a short while ago; they wait again when that is over. */
  readonly beingHandled: number
}

/** @param config of the laptop's AWS, or the region; the SDK's usual chain then finds credentials */
export async function countMessages(all: readonly DeadLetters[], config: SQSClientConfig): Promise<WaitingMessages[]> {
  const sqs = new SQSClient(config)
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
  try {
    return await Promise.all(
      all.map(async ({ name, queue }) => {
        const command = new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: [...AttributeNames] })
        const { Attributes = {} } = await sqs.send(command)
        const [waiting = 0, beingHandled = 0] = AttributeNames.map((attribute) => Number(Attributes[attribute] ?? 0))
        return { name, waiting, beingHandled }
      }),
    )
  } finally {
    sqs.destroy()
  }
}
