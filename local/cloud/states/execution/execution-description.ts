import { HISTORY_EVENTS, REDRIVE_DAYS } from '../definition/limits.ts'

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED'

/** The answer of DescribeExecution. Absent fields have no value. */
export interface ExecutionDescription {
  readonly executionArn: string
  readonly stateMachineArn: string
  readonly stateMachineVersionArn?: string
  readonly name: string
  readonly status: ExecutionStatus
  readonly startDate: Date
  readonly stopDate?: Date
  readonly input: string
  readonly inputDetails: { readonly included: true }
  readonly output?: string
  readonly outputDetails?: { readonly included: true }
  readonly error?: string
  readonly cause?: string
  readonly redriveCount: number
  readonly redriveDate?: Date
  readonly redriveStatus: 'REDRIVABLE' | 'NOT_REDRIVABLE'
  readonly redriveStatusReason?: string
}

/**
 * Returns the redrive status of an execution. Source: RedriveExecution, the conditions an execution must meet.
 * `sinceStop` is in milliseconds.
 */
export function redrivability(status: ExecutionStatus, events: number, sinceStop: number) {
  const no = (redriveStatusReason: string) => ({ redriveStatus: 'NOT_REDRIVABLE' as const, redriveStatusReason })
  if (status === 'RUNNING' || status === 'SUCCEEDED') return no(`Execution is ${status} and cannot be redriven`)
  if (events >= HISTORY_EVENTS - 1) return no('Execution history event limit exceeded')
  if (sinceStop > REDRIVE_DAYS * 86_400_000) return no(`Execution redrivable period of ${REDRIVE_DAYS} days exceeded`)
  return { redriveStatus: 'REDRIVABLE' as const }
}
