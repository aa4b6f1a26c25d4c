import type { MessageAttributes } from '../queues/queues.ts'

/** Reasons for which a schedule could not call its target. */
export const FAILURES = {
  tooOld: { code: 'MaximumEventAgeExceeded', message: 'The event is older than its MaximumEventAgeInSeconds.' },
  gone: { code: 'ResourceNotFoundException', message: 'The target is not a function of the stack.' },
} as const

export interface Undelivered {
  readonly failure: keyof typeof FAILURES
  readonly scheduleArn: string
  readonly targetArn: string
  readonly executionId: string
  /** Milliseconds since the epoch. */
  readonly time: number
}

/**
 * Describes an undelivered event (Scheduler user guide, "Configuring a schedule's dead-letter queue"). The body is the
 * input of the target.
 */
export function describeUndelivered(undelivered: Undelivered): MessageAttributes {
  const { failure, scheduleArn, targetArn, executionId, time } = undelivered
  const { code, message } = FAILURES[failure]
  const values = {
    ERROR_CODE: code,
    ERROR_MESSAGE: message,
    EXECUTION_ID: executionId,
    ...(failure === 'tooOld' && { EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds' }),
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: '0',
    SCHEDULED_TIME: new Date(time).toISOString().replace(/\.\d+Z$/, 'Z'),
    SCHEDULE_ARN: scheduleArn,
    TARGET_ARN: targetArn,
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'String', value }]))
}
