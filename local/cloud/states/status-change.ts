import type { ExecutionDescription, ExecutionStatus } from './execution/execution-description.ts'

/** The detail of AWS's event "Step Functions Execution Status Change"; dates are milliseconds since the epoch. */
export interface ExecutionStatusChange {
  readonly executionArn: string
  readonly stateMachineArn: string
  readonly name: string
  readonly status: ExecutionStatus
  readonly startDate: number
  readonly stopDate: number | null
  readonly input: string
  readonly output: string | null
  readonly stateMachineVersionArn: string | null
  readonly stateMachineAliasArn: null
  readonly redriveCount: number
  readonly redriveDate: number | null
  readonly redriveStatus: ExecutionDescription['redriveStatus']
  readonly redriveStatusReason: string | null
  readonly inputDetails: { readonly included: true }
  readonly outputDetails: { readonly included: true } | null
  readonly error: string | null
  readonly cause: string | null
}

export const toStatusChange = (execution: ExecutionDescription): ExecutionStatusChange => ({
  executionArn: execution.executionArn,
  stateMachineArn: execution.stateMachineArn,
  name: execution.name,
  status: execution.status,
  startDate: execution.startDate.getTime(),
  stopDate: execution.stopDate?.getTime() ?? null,
  input: execution.input,
  output: execution.output ?? null,
  stateMachineVersionArn: execution.stateMachineVersionArn ?? null,
  stateMachineAliasArn: null,
  redriveCount: execution.redriveCount,
  redriveDate: execution.redriveDate?.getTime() ?? null,
  redriveStatus: execution.redriveStatus,
  redriveStatusReason: execution.redriveStatusReason ?? null,
  inputDetails: execution.inputDetails,
  outputDetails: execution.outputDetails ?? null,
  error: execution.error ?? null,
  cause: execution.cause ?? null,
})
