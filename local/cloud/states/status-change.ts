import type { ExecutionDescription } from './execution/execution-description.ts'

/** The detail of AWS's event "Step Functions Execution Status Change"; dates are milliseconds since the epoch. */
export type ExecutionStatusChange = ReturnType<typeof toStatusChange>

export const toStatusChange = (execution: ExecutionDescription) => ({
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
