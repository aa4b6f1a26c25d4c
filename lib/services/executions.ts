import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  RedriveExecutionCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'

/** Executions of one state machine. A name is used once (Step Functions frees it after 90 days). */
export interface Executions {
  /** `exists` when the name was used before, whether that execution still runs or not. */
  start(name: string, input: unknown): Promise<'started' | 'exists'>
  /** Runs a failed execution again from where it failed; false when it runs, has succeeded, or is too old (14 days). */
  redrive(name: string): Promise<boolean>
}

export function createExecutions(stepFunctions: SFNClient, machineArn: string): Executions {
  return {
    async start(name, input) {
      try {
        await stepFunctions.send(
          new StartExecutionCommand({ stateMachineArn: machineArn, name, input: JSON.stringify(input) }),
        )
        return 'started'
      } catch (error) {
        if (error instanceof ExecutionAlreadyExists) return 'exists'
        throw error
      }
    },
    async redrive(name) {
      const executionArn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
      const { status } = await stepFunctions.send(new DescribeExecutionCommand({ executionArn }))
      if (status === 'RUNNING' || status === 'SUCCEEDED') return false
      await stepFunctions.send(new RedriveExecutionCommand({ executionArn }))
      return true
    },
  }
}
