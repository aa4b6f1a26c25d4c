import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { awsSettings } from '../environment/services.ts'
import type { World } from '../world.ts'

/** What waits in a queue, with everything that was noted on it. */
export interface MessageEvidence {
  readonly queue: string
  readonly text: string
}

/** Longer than it takes to read all of them once. */
const HIDDEN_S = 3_600

/** Every message of the dead-letter queues that the stack tells of. */
export async function readMessages({ cloud, clock }: World): Promise<MessageEvidence[]> {
  const client = new SQSClient(awsSettings(cloud.aws, cloud.credentials))
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
