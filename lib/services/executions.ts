import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  ExecutionNotRedrivable,
  paginateListExecutions,
  RedriveExecutionCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import { ServiceError } from '../workflow/errors.ts'

/** How an execution is; `stoppedAt` in milliseconds. */
export type ExecutionStanding =
  | { readonly status: 'running' | 'missing' }
  | { readonly status: 'over'; readonly stoppedAt: number }

/**
 * Executions of one state machine. A name is used once (Step Functions frees it after 90 days). Every method throws
 * ServiceError when Step Functions does not answer as it should.
 */
export interface Executions {
  /** `started` also when it runs already with the same input; `exists` when the name was used otherwise. */
  start(name: string, input: unknown): Promise<'started' | 'exists'>
  /** Runs a failed execution again from where it failed; false when it runs, has succeeded, or is too old (14 days). */
  redrive(name: string): Promise<boolean>
  /** Whether an execution runs whose name begins so. */
  isAnyRunning(prefix: string): Promise<boolean>
  /** `missing` when none has this name: it was never started, or that was more than 90 days ago. */
  describe(name: string): Promise<ExecutionStanding>
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
    redrive: (name) =>
      attempt(`redriving ${name}`, async () => {
        try {
          await stepFunctions.send(new RedriveExecutionCommand({ executionArn: arnOf(name) }))
          return true
        } catch (error) {
          if (error instanceof ExecutionNotRedrivable) return false
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
          const { stopDate } = await stepFunctions.send(new DescribeExecutionCommand({ executionArn: arnOf(name) }))
          return stopDate ? { status: 'over', stoppedAt: stopDate.getTime() } : { status: 'running' }
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
