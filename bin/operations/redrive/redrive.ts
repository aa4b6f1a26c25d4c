import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs'
import type { DeadLetters } from './dead-letters.ts'
import { createHandOver } from './hand-over.ts'

/** What became of the messages of a queue. */
export interface Redriven {
  /** How many were handed over, and deleted from the queue. */
  readonly redriven: number
  /** Those that are still in the queue, and why. */
  readonly left: readonly { readonly messageId: string; readonly reason: string }[]
}

export interface RedriveOptions {
  /** Of the laptop's AWS, or the region; the SDK's usual chain then finds credentials. */
  readonly config: SQSClientConfig & { readonly region?: string }
  /** Seconds for which SQS looks for messages on all its servers; a short look may miss some. */
  readonly wait: number
  readonly signal: AbortSignal
}

/** Seconds for which what was received is hidden from others, and from this one. */
const HIDDEN = 300
const AT_ONCE = 10

/**
 * Hands every message of a queue over to what it was for, and deletes it only when that has taken it. A function takes an
 * event before it works on it: one that fails again comes back to the queue after its attempts.
 * @throws Error when the queue cannot be read
 */
export async function redrive(letters: DeadLetters, { config, wait, signal }: RedriveOptions): Promise<Redriven> {
  const sqs = new SQSClient(config)
  const handOver = createHandOver(letters, config as object)
  const QueueUrl = letters.queue
  let redriven = 0
  const left = new Map<string, string>()

  const give = async ({ MessageId: id = '', Body: event = '', MessageAttributes, ReceiptHandle }: Message) => {
    if (MessageAttributes?.IS_PAYLOAD_TRUNCATED?.StringValue === 'true')
      throw new Error('The Scheduler has cut its event off: post that show anew.')
    await handOver(event, id)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })).catch((error: Error) => {
      throw new Error(`It was handed over, and could not be deleted (${error.message}): it may come twice.`)
    })
  }

  try {
    while (!signal.aborted) {
      const look = { MaxNumberOfMessages: AT_ONCE, WaitTimeSeconds: wait, VisibilityTimeout: HIDDEN }
      const command = new ReceiveMessageCommand({ QueueUrl, ...look, MessageAttributeNames: ['All'] })
      const { Messages: messages = [] } = await sqs.send(command)
      const fresh = messages.filter(({ MessageId = '' }) => !left.has(MessageId))
      if (fresh.length === 0) break
      for (const message of fresh)
        await give(message).then(
          () => redriven++,
          (error: Error) => left.set(message.MessageId ?? '', error.message),
        )
    }
    return { redriven, left: [...left].map(([messageId, reason]) => ({ messageId, reason })) }
  } finally {
    sqs.destroy()
    handOver.close()
  }
}
