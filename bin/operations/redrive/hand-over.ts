import { ExecutionAlreadyExists, SFNClient, type SFNClientConfig, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { invokeFunctionLater } from '../invoke-function.ts'
import type { DeadLetters } from './dead-letters.ts'

/** Hands one event over, and can be closed. */
export interface HandOver {
  /** @param id of the message: what is handed over twice starts one execution @throws Error when the target does not take it */
  (event: string, id: string): Promise<void>
  close(): void
}

/** @throws Error when the target is neither a function nor a machine */
export function createHandOver({ name, target }: DeadLetters, config: SFNClientConfig): HandOver {
  const kind = /^arn:[\w-]+:(lambda|states):/.exec(target)?.[1]
  if (!kind) throw new Error(`What the queue of ${name} is for is no function and no machine: ${target}.`)
  const client = new SFNClient(config)
  const act = kind === 'lambda' ? invokeFunctionLater : startExecution
  return Object.assign((event: string, id: string) => act(client, target, event, id), { close: () => client.destroy() })
}

async function startExecution(client: SFNClient, stateMachineArn: string, input: string, id: string): Promise<void> {
  const command = new StartExecutionCommand({ stateMachineArn, name: `redrive-${id}`, input })
  await client.send(command).catch((error) => {
    if (!(error instanceof ExecutionAlreadyExists)) throw error // only its deletion was lost
  })
}
