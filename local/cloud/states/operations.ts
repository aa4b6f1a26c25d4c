import type { ExecutionDescription, ExecutionStatus } from './execution/execution-description.ts'
import type { HistoryEvent } from './execution/history.ts'

export interface AddedMachine {
  /** With or without a version: each is started by its own ARN only. */
  readonly arn: string
  readonly name: string
  /** Amazon States Language, parsed or as text. */
  readonly definition: unknown
  /** Shown in the context object and by DescribeStateMachine; nothing is granted or refused by it. */
  readonly roleArn?: string
}

export interface StepFunctions {
  /**
   * Adds or replaces machines, all or none; running executions keep the definition they began with.
   * @throws DefinitionError
   */
  addMachine(...machines: readonly AddedMachine[]): void
  /** `input` is JSON text, `{}` by default. Throws ServiceError with AWS's code, as the next ones do. */
  startExecution(request: { stateMachineArn: string; name?: string; input?: string }): {
    executionArn: string
    startDate: Date
  }
  stopExecution(request: { executionArn: string; error?: string; cause?: string }): { stopDate: Date }
  describeExecution(request: { executionArn: string }): ExecutionDescription
  /** All of it, and no copy: it grows while the execution runs. */
  executionHistory(request: { executionArn: string }): readonly HistoryEvent[]
  /** Newest first. */
  listExecutions(request: { stateMachineArn: string; statusFilter?: ExecutionStatus }): ExecutionDescription[]
  /**
   * Runs a FAILED, TIMED_OUT or ABORTED execution on from the state it ended in, with that state's input and the
   * variables it had. Inside a Parallel or Map, AWS reruns only what failed; here the whole outermost such state is rerun.
   */
  redriveExecution(request: { executionArn: string; clientToken?: string }): { redriveDate: Date }
  describeStateMachine(request: { stateMachineArn: string }): StateMachineDescription
  /** Answers AWS's JSON 1.0 protocol. The caller has checked the signature. */
  fetch(request: Request): Promise<Response>
  /** Aborts what runs; resolves when nothing runs any more. */
  close(): Promise<void>
}

export interface StateMachineDescription {
  readonly stateMachineArn: string
  readonly name: string
  readonly status: 'ACTIVE'
  /** As text. */
  readonly definition: string
  readonly roleArn: string
  readonly type: 'STANDARD'
  readonly creationDate: Date
}
