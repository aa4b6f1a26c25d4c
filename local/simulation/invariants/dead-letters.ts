import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { awsClientConfig } from '../environment/services.ts'
import type { World } from '../world.ts'

/** A message of a queue, with its attributes. */
export interface MessageEvidence {
  readonly queue: string
  readonly text: string
}

/** Seconds that a read message stays hidden: longer than reading all of them takes. */
const HIDDEN_S = 3_600

/** Reads every message of the dead-letter queues that the stack’s outputs name. */
export async function readDeadLetters({ cloud, clock }: World): Promise<MessageEvidence[]> {
  const client = new SQSClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  const outputs = Object.values(cloud.outputs).filter((value) => value.startsWith('{'))
  const queues = outputs.flatMap((value) => (JSON.parse(value) as { queue?: string }).queue ?? [])
  const read = async (queue: string) => {
    const all: MessageEvidence[] = []
    for (;;) {
      const { Messages: messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: queue,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: HIDDEN_S,
          MessageAttributeNames: ['All'],
        }),
      )
      if (messages.length === 0) return all
      for (const { Body, MessageAttributes } of messages)
        all.push({ queue, text: `${Body}\n${JSON.stringify(MessageAttributes)}` })
    }
  }
  return (await Promise.all(queues.map(read))).flat()
}
