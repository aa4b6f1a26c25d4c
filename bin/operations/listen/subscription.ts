import {
  DeleteRuleCommand,
  type EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { OWNER_EVENT_SOURCE, type OwnerEvent, ownerEvent } from '../../../lib/events/owner-events.ts'

/** The clients with which an operator reads a bus. */
export interface ListenClients {
  readonly bridge: Pick<EventBridgeClient, 'send'>
  readonly sqs: Pick<SQSClient, 'send'>
}

/** Names of the temporary rule and queue. */
export interface ListenNames {
  readonly bus: string
  readonly rule: string
  readonly queue: string
}

/** The events to listen to. */
export interface EventChoice {
  /** Names of events. @default all */
  readonly events?: readonly string[] | undefined
  /** @default the events of all shows */
  readonly showId?: string | undefined
}

/** Events of a bus from now on. */
export interface Subscription {
  /**
   * Receives the next events, up to ten, and deletes them from the queue. Omits details that are not owner events.
   * @param wait seconds to wait for the first, 0 to 20
   */
  receive(wait: number, signal: AbortSignal): Promise<OwnerEvent[]>
  /** Removes the rule and the queue. */
  close(): Promise<void>
}

const TARGET = 'listen'
/** Seconds for which an event waits in the queue. */
const RETENTION = '3600'
const BATCH = 10

/**
 * Subscribes to the owner events of a bus with a rule and a queue. Removes what it has made when it fails.
 * @throws Error of AWS
 */
export async function subscribe(
  clients: ListenClients,
  names: ListenNames,
  choice: EventChoice,
): Promise<Subscription> {
  const { bridge, sqs } = clients
  const { bus: EventBusName, rule: Name, queue: QueueName } = names
  await using made = new AsyncDisposableStack()
  const created = await sqs.send(
    new CreateQueueCommand({ QueueName, Attributes: { MessageRetentionPeriod: RETENTION } }),
  )
  const QueueUrl = created.QueueUrl ?? ''
  made.defer(() => removeQueue(clients, QueueUrl))
  const read = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }))
  const queueArn = read.Attributes?.QueueArn ?? ''
  const EventPattern = JSON.stringify(patternOf(choice))
  const Description = 'Temporary: a running `showrunner listen` reads it.'
  const { RuleArn = '' } = await bridge.send(new PutRuleCommand({ EventBusName, Name, EventPattern, Description }))
  made.defer(() => removeRule(clients, EventBusName, Name))
  const Policy = JSON.stringify(policyOf(queueArn, RuleArn))
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }))
  const Targets = [{ Id: TARGET, Arn: queueArn }]
  const { FailedEntries: [failed] = [] } = await bridge.send(
    new PutTargetsCommand({ EventBusName, Rule: Name, Targets }),
  )
  if (failed) throw new Error(`EventBridge refused the queue: ${failed.ErrorMessage}`)
  const kept = made.move()
  return {
    async receive(wait, signal) {
      const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: BATCH, WaitTimeSeconds: wait })
      const { Messages = [] } = await sqs.send(command, { abortSignal: signal })
      const remove = ({ ReceiptHandle }: { ReceiptHandle?: string | undefined }) =>
        sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }), { abortSignal: signal })
      await Promise.all(Messages.map(remove))
      // The detail has fields of the bus as well, which the schema strips.
      return Messages.flatMap(({ Body = '' }) => ownerEvent.safeParse(JSON.parse(Body).detail).data ?? [])
    },
    close: () => kept.disposeAsync(),
  }
}

/** Removes a rule with its target, unless it is gone. */
export async function removeRule({ bridge }: ListenClients, EventBusName: string, rule: string): Promise<void> {
  const unlessGone = (error: Error) => {
    if (error.name !== 'ResourceNotFoundException') throw error
  }
  await bridge.send(new RemoveTargetsCommand({ EventBusName, Rule: rule, Ids: [TARGET] })).catch(unlessGone)
  await bridge.send(new DeleteRuleCommand({ EventBusName, Name: rule })).catch(unlessGone)
}

/** Removes a queue, unless it is gone. */
export async function removeQueue({ sqs }: ListenClients, QueueUrl: string): Promise<void> {
  await sqs.send(new DeleteQueueCommand({ QueueUrl })).catch((error: Error) => {
    if (error.name !== 'QueueDoesNotExist') throw error
  })
}

const patternOf = ({ events, showId }: EventChoice) => ({
  source: [OWNER_EVENT_SOURCE],
  ...(events && { 'detail-type': events }),
  ...(showId !== undefined && { detail: { showId: [showId] } }),
})

/** Lets the rule, and nothing else, send to the queue. */
const policyOf = (queueArn: string, ruleArn: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: queueArn,
      Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
    },
  ],
})
