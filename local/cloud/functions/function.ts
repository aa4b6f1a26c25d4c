export interface FunctionSpec {
  readonly logicalId: string
  readonly name: string
  readonly arn: string
  readonly folder: string
  /** `file.export`. */
  readonly handler: string
  readonly environment: Readonly<Record<string, string>>
  /** Timeout in seconds. */
  readonly timeout: number
  /** Memory in megabytes. */
  readonly memory: number
  /** ARN of the dead-letter queue of asynchronous invocations. */
  readonly deadLetterQueue?: string
  /** Configuration of asynchronous invocations, by version or `$LATEST`. */
  readonly later?: Readonly<Record<string, AsyncInvocation>>
}

export interface AsyncInvocation {
  /** Retries, 0 to 2. @default 2 */
  readonly retries?: number
  /** Seconds for which an event is kept. @default six hours */
  readonly maximumAge?: number
  /** ARN of the queue for records of failed events. */
  readonly onFailure?: string
}

/** The fields of Lambda’s context that functions use. */
export interface InvocationContext {
  readonly awsRequestId: string
  readonly functionName: string
  readonly functionVersion: string
  readonly invokedFunctionArn: string
  readonly memoryLimitInMB: string
}

/**
 * Runs a function once, as the Invoke API does. Event and result are copied as JSON.
 * @throws FunctionError when the function fails
 */
export type Invoke = (spec: FunctionSpec, event: unknown, context: InvocationContext) => Promise<unknown>

/**
 * Thrown when an invocation fails. Name and message are those of the function’s error, which Step Functions passes on.
 * Names with the prefix `Lambda.` are errors of the service.
 */
export class FunctionError extends Error {
  constructor(errorType: string, errorMessage: string) {
    super(errorMessage)
    this.name = errorType
  }
}
