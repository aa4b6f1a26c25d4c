import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  paginateListExecutions,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import { ServiceError } from '../tasks/errors.ts'

/** How an execution is; `stoppedAt` in milliseconds. */
export type ExecutionStatus =
  | { readonly status: 'running' | 'missing' }
  | { readonly status: 'over'; readonly stoppedAt: number; readonly hasSucceeded: boolean }

/**
 * Executions of one state machine. A name is used once (Step Functions frees it after 90 days). Every method throws
 * ServiceError when Step Functions does not answer as it should.
 */
export interface Executions {
  /** `started` also when it runs already with the same input; `exists` when the name was used otherwise. */
  start(name: string, input: unknown): Promise<'started' | 'exists'>
  /** Whether an execution runs whose name begins so. */
  isAnyRunning(prefix: string): Promise<boolean>
  /** `missing` when none has this name: it was never started, or that was more than 90 days ago. */
  describe(name: string): Promise<ExecutionStatus>
}

export function createExecutions(stepFunctions: SFNClient, machineArn: string): Executions {
  const arnOf = (name: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
  return {
    start: (name, input) =>
      attempt(`starting ${name}`, async () => {
        try {
          await stepFunctions.send(
            new StartExecutionCommand({ stateMachineArn: machineArn, name, input: JSON.stringify(input) }),
          )
          return 'started'
        } catch (error) {
          if (error instanceof ExecutionAlreadyExists) return 'exists'
          throw error
        }
      }),
    isAnyRunning: (prefix) =>
      attempt(`looking for executions ${prefix}`, async () => {
        const running = { stateMachineArn: machineArn, statusFilter: 'RUNNING' } as const
        for await (const { executions = [] } of paginateListExecutions({ client: stepFunctions }, running))
          if (executions.some(({ name }) => name?.startsWith(prefix))) return true
        return false
      }),
    describe: (name) =>
      attempt(`looking for ${name}`, async () => {
        try {
          const command = new DescribeExecutionCommand({ executionArn: arnOf(name) })
          const { stopDate, status } = await stepFunctions.send(command)
          if (!stopDate) return { status: 'running' }
          return { status: 'over', stoppedAt: stopDate.getTime(), hasSucceeded: status === 'SUCCEEDED' }
        } catch (error) {
          if (error instanceof ExecutionDoesNotExist) return { status: 'missing' }
          throw error
        }
      }),
  }
}

async function attempt<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const { name, message } = cause as Error
    throw new ServiceError(`Step Functions failed while ${what} (${name}: ${message}).`, { cause })
  }
}
