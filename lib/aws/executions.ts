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
import { attempt } from './service-errors.ts'

/** The status of an execution; `stoppedAt` in milliseconds since the epoch. */
export type ExecutionStatus =
  | { readonly status: 'running' | 'missing' }
  | { readonly status: 'over'; readonly stoppedAt: number; readonly hasSucceeded: boolean; readonly error?: string }

export type Executions = ReturnType<typeof createExecutions>

/** Creates the access to executions of a machine, each method of which throws {@link ServiceError}. A name is usable once in 90 days. */
export function createExecutions(stepFunctions: SFNClient, machineArn: string) {
  const arnOf = (name: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
  return {
    /** Returns `started` also if the execution runs with the same input, and `exists` if the name was used for another one. */
    start: (name: string, input: unknown) =>
      attempt(`Step Functions failed while starting ${name}`, async (): Promise<'started' | 'exists'> => {
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
    /**
     * Resumes an interrupted execution from the state that it had not left. Returns the reason if Step Functions refuses it.
     * @param clientToken with the same one, a repetition within 15 minutes has no effect
     */
    redrive: (name: string, clientToken?: string) =>
      attempt(`Step Functions failed while redriving ${name}`, async (): Promise<string | undefined> => {
        try {
          await stepFunctions.send(new RedriveExecutionCommand({ executionArn: arnOf(name), clientToken }))
          return undefined
        } catch (error) {
          if (error instanceof ExecutionNotRedrivable) return error.message
          throw error
        }
      }),
    /** Returns whether an execution runs whose name begins with a prefix. */
    isAnyRunning: (prefix: string) =>
      attempt(`Step Functions failed while listing executions ${prefix}`, async () => {
        const running = { stateMachineArn: machineArn, statusFilter: 'RUNNING' } as const
        for await (const { executions = [] } of paginateListExecutions({ client: stepFunctions }, running))
          if (executions.some(({ name }) => name?.startsWith(prefix))) return true
        return false
      }),
    /** Returns `missing` if the execution was never started, or ended more than 90 days ago. */
    describe: (name: string) =>
      attempt(`Step Functions failed while describing ${name}`, async (): Promise<ExecutionStatus> => {
        try {
          const command = new DescribeExecutionCommand({ executionArn: arnOf(name) })
          const { stopDate, status, error } = await stepFunctions.send(command)
          if (!stopDate) return { status: 'running' }
          const hasSucceeded = status === 'SUCCEEDED'
          return { status: 'over', stoppedAt: stopDate.getTime(), hasSucceeded, ...(error !== undefined && { error }) }
        } catch (error) {
          if (error instanceof ExecutionDoesNotExist) return { status: 'missing' }
          throw error
        }
      }),
  }
}
