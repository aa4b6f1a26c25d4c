import type { Clock } from '../../../lib/clock.ts'
import { openPrivateFile } from '../endpoint/private-file.ts'
import { ACCOUNT, REGION } from '../intrinsics.ts'

/** A queue of the stack; times are in seconds. */
export interface QueueSpec {
  readonly name: string
  readonly url: string
  /** Seconds for which a message is kept. */
  readonly retention: number
  /** Default seconds for which a received message stays hidden. */
  readonly visibility: number
}

/** A stored message. Times are milliseconds since the epoch. */
export interface Message {
  readonly id: string
  readonly body: string
  readonly attributes: MessageAttributes
  readonly sent: number
  /** Handle of the latest receipt, which deletes it. */
  receipt?: string
  received: number
  firstReceived?: number
  visibleFrom: number
}

export type MessageAttributes = Readonly<Record<string, { readonly type: 'String' | 'Number'; readonly value: string }>>

/** Receives what services could not deliver. */
export type DeadLetters = Pick<Queues, 'has' | 'send'>

/** SQS standard queues for dead letters. Messages are in one file that only its owner can read. */
export type Queues = ReturnType<typeof createQueues>

export interface QueuesOptions {
  readonly queues: readonly QueueSpec[]
  /** Directory of the messages. @default in memory */
  readonly directory: string | undefined
  readonly clock: Clock
  readonly newId: () => string
}

/** Milliseconds after a deletion in which the name cannot be used (SQS API reference, "CreateQueue"). */
const DELETION_MS = 60_000

export const queueArn = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`

/** @throws Error when the stored messages cannot be read */
export function createQueues({ queues, directory, clock, newId }: QueuesOptions) {
  const { content: kept, save } = openPrivateFile<Record<string, Message[]>>(directory, 'queues.json', {})
  const byArn = new Map(queues.map((spec) => [queueArn(spec.name), spec]))
  const ofStack = new Set(byArn.keys())
  /** Milliseconds since the epoch, by the name of an operator's queue. */
  const deletedAt = new Map<string, number>()
  const messagesOf = ({ name, retention }: QueueSpec): Message[] => {
    const oldest = clock.now() - retention * 1000
    const messages = (kept[name] ?? []).filter(({ sent }) => sent > oldest)
    kept[name] = messages
    return messages
  }
  const isVisible = ({ visibleFrom }: Message) => visibleFrom <= clock.now()

  return {
    /** The queues of the stack and of operators. */
    get specs(): readonly QueueSpec[] {
      return [...byArn.values()]
    },
    /** Adds an operator's queue, which lasts as long as the process. */
    add(spec: QueueSpec): void {
      byArn.set(queueArn(spec.name), spec)
    },
    /** Deletes an operator's queue with its messages. Returns false for a queue of the stack. */
    delete({ name }: QueueSpec): boolean {
      if (ofStack.has(queueArn(name))) return false
      byArn.delete(queueArn(name))
      delete kept[name]
      deletedAt.set(name, clock.now())
      save()
      return true
    },
    isDeletedRecently: (name: string): boolean =>
      clock.now() - (deletedAt.get(name) ?? Number.NEGATIVE_INFINITY) < DELETION_MS,
    has: (arn: unknown) => byArn.has(String(arn)),
    send(arn: string, body: string, attributes: MessageAttributes = {}): void {
      const spec = byArn.get(arn)
      if (!spec) throw new Error(`${arn} is not a queue of the stack.`)
      const sent = clock.now()
      messagesOf(spec).push({ id: newId(), body, attributes, sent, received: 0, visibleFrom: sent })
      save()
    },
    /** Returns up to `max` visible messages, oldest first. Each stays hidden for `visibility` seconds. */
    receive(spec: QueueSpec, most: number, visibility: number): Message[] {
      const now = clock.now()
      const messages = messagesOf(spec).filter(isVisible).slice(0, most)
      for (const message of messages) {
        message.receipt = newId()
        message.received++
        message.firstReceived ??= now
        message.visibleFrom = now + visibility * 1000
      }
      if (messages.length > 0) save()
      return messages
    },
    /** Deletes the message of a receipt, if it exists. */
    remove(spec: QueueSpec, receipt: string): void {
      kept[spec.name] = messagesOf(spec).filter((message) => message.receipt !== receipt)
      save()
    },
    count(spec: QueueSpec): { visible: number; hidden: number } {
      const messages = messagesOf(spec)
      const visible = messages.filter(isVisible).length
      return { visible, hidden: messages.length - visible }
    },
  }
}
