import { ExecutionAlreadyExists, SFNClient, type SFNClientConfig, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { invokeFunctionLater } from '../invoke-function.ts'
import type { DeadLetters } from './dead-letters.ts'

/** Delivers events to the target of a queue. */
export interface Delivery {
  /**
   * Delivers one event.
   * @param id id of the message; a repeated delivery starts one execution only
   * @throws Error when the target does not accept it
   */
  deliver(event: string, id: string): Promise<void>
  close(): void
}

/** @throws Error when the target is neither a function nor a state machine */
export function createDelivery({ name, target }: DeadLetters, config: SFNClientConfig): Delivery {
  const kind = /^arn:[\w-]+:(lambda|states):/.exec(target)?.[1]
  if (!kind) throw new Error(`The target of the queue of ${name} is neither a function nor a state machine: ${target}.`)
  const client = new SFNClient(config)
  const send = kind === 'lambda' ? invokeFunctionLater : startExecution
  return { deliver: (event, id) => send(client, target, event, id), close: () => client.destroy() }
}

async function startExecution(client: SFNClient, stateMachineArn: string, input: string, id: string): Promise<void> {
  const command = new StartExecutionCommand({ stateMachineArn, name: `redrive-${id}`, input })
  await client.send(command).catch((error) => {
    if (!(error instanceof ExecutionAlreadyExists)) throw error // an earlier delivery worked, and only the deletion of the message failed
  })
}
