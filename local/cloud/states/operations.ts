import type { ExecutionDescription, ExecutionStatus } from './execution/execution-description.ts'
import type { HistoryEvent } from './execution/history.ts'

export interface AddedMachine {
  /** ARN with or without a version. Each is started by its own ARN only. */
  readonly arn: string
  readonly name: string
  /** Definition in Amazon States Language, parsed or as text. */
  readonly definition: unknown
  /** Role in the context object and DescribeStateMachine. It is not evaluated. */
  readonly roleArn?: string
}

export interface StepFunctions {
  /** Adds or replaces all machines or none. Running executions keep their definition. @throws DefinitionError */
  addMachine(...machines: readonly AddedMachine[]): void
  /**
   * Starts an execution. `input` is JSON text. @default '{}'
   * @throws ServiceError with AWS’s code, as the following methods do
   */
  startExecution(request: { stateMachineArn: string; name?: string; input?: string }): {
    executionArn: string
    startDate: Date
  }
  stopExecution(request: { executionArn: string; error?: string; cause?: string }): { stopDate: Date }
  describeExecution(request: { executionArn: string }): ExecutionDescription
  /** Returns the history itself, which grows while the execution runs. */
  executionHistory(request: { executionArn: string }): readonly HistoryEvent[]
  /** Lists executions, newest first. */
  listExecutions(request: { stateMachineArn: string; statusFilter?: ExecutionStatus }): ExecutionDescription[]
  /**
   * Resumes a FAILED, TIMED_OUT or ABORTED execution from the state in which it ended, with that state’s input and
   * variables. AWS reruns only what failed in a Parallel or Map; here the outermost such state is rerun.
   */
  redriveExecution(request: { executionArn: string; clientToken?: string }): { redriveDate: Date }
  describeStateMachine(request: { stateMachineArn: string }): StateMachineDescription
  /** Handles AWS’s JSON 1.0 protocol. The signature is checked before. */
  fetch(request: Request): Promise<Response>
  /** Aborts running executions. Resolves when nothing runs any more. */
  close(): Promise<void>
}

export interface StateMachineDescription {
  readonly stateMachineArn: string
  readonly name: string
  readonly status: 'ACTIVE'
  /** Definition as text. */
  readonly definition: string
  readonly roleArn: string
  readonly type: 'STANDARD'
  readonly creationDate: Date
}
