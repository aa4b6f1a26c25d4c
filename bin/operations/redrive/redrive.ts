import { ExecutionAlreadyExists, SFNClient, type SFNClientConfig, StartExecutionCommand } from '@aws-sdk/client-sfn'
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs'
import { disposable } from '../../local/aws-access.ts'
import { invokeFunctionLater } from '../invoke-function.ts'
import type { DeadLetterQueue } from './dead-letters.ts'

/** The outcome for the messages of a queue. */
export interface Redriven {
  readonly redriven: number
  /** Messages that are still in the queue, with the reasons. */
  readonly left: readonly { readonly messageId: string; readonly reason: string }[]
}

export interface RedriveOptions {
  readonly config: SQSClientConfig & { readonly region?: string }
  /** Seconds of long polling. Short polling (0) may miss messages on AWS. */
  readonly wait: number
  readonly signal: AbortSignal
}

/** Seconds for which received messages are invisible to all receivers. */
const VISIBILITY_TIMEOUT = 300
const BATCH = 10

/**
 * Delivers every message of a queue to its target, and deletes it once the target has accepted it. A function accepts an event
 * before it handles it: if it fails again, the event returns to the queue after its retries.
 * @throws Error when the queue cannot be read
 */
export async function redrive(queue: DeadLetterQueue, { config, wait, signal }: RedriveOptions): Promise<Redriven> {
  using sqs = disposable(new SQSClient(config))
  using client = disposable(new SFNClient(config as SFNClientConfig))
  const send = senderTo(queue)
  const { queue: QueueUrl, target } = queue
  let redriven = 0
  const left = new Map<string, string>()

  const deliver = async ({ MessageId: id = '', Body: event = '', MessageAttributes, ReceiptHandle }: Message) => {
    if (MessageAttributes?.IS_PAYLOAD_TRUNCATED?.StringValue === 'true')
      throw new Error('The Scheduler has truncated its event. Post the show again.')
    await send(client, target, event, id)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })).catch((error: Error) => {
      throw new Error(`It was delivered but could not be deleted (${error.message}). It may be delivered twice.`)
    })
  }

  while (!signal.aborted) {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: BATCH,
      WaitTimeSeconds: wait,
      VisibilityTimeout: VISIBILITY_TIMEOUT,
      MessageAttributeNames: ['All'],
    })
    const { Messages: messages = [] } = await sqs.send(command)
    const fresh = messages.filter(({ MessageId = '' }) => !left.has(MessageId))
    if (fresh.length === 0) break
    for (const message of fresh)
      await deliver(message).then(
        () => redriven++,
        (error: Error) => left.set(message.MessageId ?? '', error.message),
      )
  }
  return { redriven, left: [...left].map(([messageId, reason]) => ({ messageId, reason })) }
}

/** Sends an event to a target. The id of its message makes a repeated delivery start one execution only. */
type Send = (client: SFNClient, target: string, event: string, id: string) => Promise<void>

/** @throws Error when the target is neither a function nor a state machine */
function senderTo({ name, target }: DeadLetterQueue): Send {
  const kind = /^arn:[\w-]+:(lambda|states):/.exec(target)?.[1]
  if (!kind) throw new Error(`The target of the queue of ${name} is neither a function nor a state machine: ${target}.`)
  return kind === 'lambda' ? invokeFunctionLater : startExecution
}

async function startExecution(client: SFNClient, stateMachineArn: string, input: string, id: string): Promise<void> {
  const command = new StartExecutionCommand({ stateMachineArn, name: `redrive-${id}`, input })
  await client.send(command).catch((error) => {
    if (!(error instanceof ExecutionAlreadyExists)) throw error // an earlier delivery worked, and only the deletion of the message failed
  })
}
