import { GetQueueAttributesCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs'
import { disposable } from '../../local/aws-access.ts'
import type { Outputs } from '../outputs.ts'

/** A dead-letter queue, and the target of its messages. */
export interface DeadLetterQueue {
  readonly name: string
  /** Its URL. */
  readonly queue: string
  /** ARN of a function or state machine. */
  readonly target: string
}

const SUFFIX = 'DeadLetters'

/** Returns every dead-letter queue in the outputs of a stack. @throws Error when there is none */
export function deadLettersOf(outputs: Outputs): DeadLetterQueue[] {
  const named = Object.entries(outputs).filter(([output]) => output.endsWith(SUFFIX))
  if (named.length === 0) throw new Error('The outputs of the stack have no queues. Deploy it again.')
  return named
    .map(([output, value]) => ({ name: output.slice(0, -SUFFIX.length), ...JSON.parse(value) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Finds a queue by its name. @throws Error with all names when there is none of that name */
export function findDeadLetters(outputs: Outputs, name: string): DeadLetterQueue {
  const all = deadLettersOf(outputs)
  const found = all.find((one) => one.name === name)
  if (!found) throw new Error(`There is no queue of ${name}. Choose one of ${all.map((one) => one.name).join(', ')}.`)
  return found
}

/** The number of messages in a queue, as SQS estimates it. */
export interface WaitingMessages {
  readonly name: string
  readonly waiting: number
  /** Messages in flight: received, and not yet deleted or visible again. */
  readonly beingHandled: number
}

/** Counts the messages of queues. @param config configuration for the local AWS, or the region */
export async function countMessages(
  all: readonly DeadLetterQueue[],
  config: SQSClientConfig,
): Promise<WaitingMessages[]> {
  using sqs = disposable(new SQSClient(config))
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
  return await Promise.all(
    all.map(async ({ name, queue }) => {
      const command = new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: [...AttributeNames] })
      const { Attributes = {} } = await sqs.send(command)
      const [waiting = 0, beingHandled = 0] = AttributeNames.map((attribute) => Number(Attributes[attribute] ?? 0))
      return { name, waiting, beingHandled }
    }),
  )
}
