import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  ExecutionDoesNotExist,
  type HistoryEvent,
  paginateGetExecutionHistory,
  type SFNClient,
} from '@aws-sdk/client-sfn'
import type { ShowMachine } from '../tasks/show-machines.ts'
import { attempt } from './service-errors.ts'

/** Machines whose histories are read: those that run shows, and that of publishes. */
export type HistoryMachine = ShowMachine | 'publish'

/** An execution with its whole history. */
export interface ExecutionHistory {
  readonly description: DescribeExecutionOutput
  readonly events: readonly HistoryEvent[]
}

export type ExecutionHistories = ReturnType<typeof createExecutionHistories>

/** Creates the access to histories. @param showMachineArn ARN of the show machine, beside which the others are named alike */
export function createExecutionHistories(stepFunctions: SFNClient, showMachineArn: string) {
  const arnOf = (machine: HistoryMachine, name: string) =>
    `${showMachineArn.replace(':stateMachine:', ':execution:').replace(/show$/, machine)}:${name}`
  return {
    /** Returns undefined if there is no such execution, or it ended more than 90 days ago. Throws {@link ServiceError}. */
    read: (machine: HistoryMachine, name: string) =>
      attempt(`Step Functions failed while reading ${name}`, async (): Promise<ExecutionHistory | undefined> => {
        const executionArn = arnOf(machine, name)
        const events: HistoryEvent[] = []
        try {
          const description = await stepFunctions.send(new DescribeExecutionCommand({ executionArn }))
          const pages = paginateGetExecutionHistory(
            { client: stepFunctions, pageSize: 1_000 },
            { executionArn, includeExecutionData: true },
          )
          for await (const page of pages) events.push(...(page.events ?? []))
          return { description, events }
        } catch (error) {
          if (error instanceof ExecutionDoesNotExist) return undefined
          throw error
        }
      }),
  }
}
