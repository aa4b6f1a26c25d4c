import type { DeadLetters } from '../queues/queues.ts'
import type { FunctionSpec } from './function.ts'

/** An event that a function failed to handle in all attempts. */
export interface AsyncFailure {
  readonly spec: FunctionSpec
  readonly version: string
  readonly event: unknown
  readonly requestId: string
  readonly attempts: number
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded'
  readonly error: Error
  /** Milliseconds since the epoch. */
  readonly time: number
}

/** Maximum length of a message. Longer ones are cut (Lambda developer guide, "Adding a dead-letter queue"). */
const MAX_MESSAGE_LENGTH = 1024

/** Sends a failed event to the function’s dead-letter queue and failure destination, if it has them. */
export function keepAsyncFailures(queues: Pick<DeadLetters, 'send'>, given: AsyncFailure): void {
  const { spec, version, event, requestId, error } = given
  const { onFailure } = spec.later?.[version] ?? {}
  if (spec.deadLetterQueue)
    queues.send(spec.deadLetterQueue, JSON.stringify(event), {
      RequestID: { type: 'String', value: requestId },
      ErrorCode: { type: 'Number', value: '200' }, // status of the invocation, which succeeded
      ErrorMessage: { type: 'String', value: error.message.slice(0, MAX_MESSAGE_LENGTH) },
    })
  if (onFailure) queues.send(onFailure, JSON.stringify(recordOf(given)))
}

/**
 * Returns the record of a failed event (Lambda developer guide, "Capturing records of Lambda asynchronous
 * invocations").
 */
function recordOf({ spec, version, event, requestId, attempts, condition, error, time }: AsyncFailure): object {
  return {
    version: '1.0',
    timestamp: new Date(time).toISOString(),
    requestContext: { requestId, functionArn: `${spec.arn}:${version}`, condition, approximateInvokeCount: attempts },
    requestPayload: event,
    responseContext: { statusCode: 200, executedVersion: version, functionError: 'Unhandled' },
    responsePayload: { errorType: error.name, errorMessage: error.message },
  }
}
