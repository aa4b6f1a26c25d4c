/** A Lambda of the assembly, ready to be run. */
export interface FunctionSpec {
  readonly logicalId: string
  readonly name: string
  readonly arn: string
  /** Folder of the bundle. */
  readonly folder: string
  /** `file.export`. */
  readonly handler: string
  readonly environment: Readonly<Record<string, string>>
  /** Seconds. */
  readonly timeout: number
  /** Megabytes. */
  readonly memory: number
  /** ARN of the queue for events that it failed to handle. */
  readonly deadLetterQueue?: string
  /** What is said of asynchronous invocations, by version or `$LATEST`. */
  readonly later?: Readonly<Record<string, AsyncInvocation>>
}

/** How a function is invoked asynchronously. */
export interface AsyncInvocation {
  /** 0 to 2, and 2 by default. */
  readonly retries?: number
  /** Seconds for which an event is kept; six hours by default. */
  readonly maximumAge?: number
  /** ARN of the queue for records of events that were given up. */
  readonly onFailure?: string
}

/** The part of Lambda's context that functions here look at. */
export interface InvocationContext {
  readonly awsRequestId: string
  readonly functionName: string
  readonly functionVersion: string
  readonly invokedFunctionArn: string
  readonly memoryLimitInMB: string
}

/**
 * Runs a function once, as the Invoke API does. Neither side gets an object of the other's: event and result pass as JSON.
 * @throws FunctionError when the function fails
 */
export type Invoke = (spec: FunctionSpec, event: unknown, context: InvocationContext) => Promise<unknown>

/**
 * A failed invocation. Name and message are those of the function's own error: Step Functions hands on both. A name that
 * begins with `Lambda.` is that of an error of the service itself.
 */
export class FunctionError extends Error {
  constructor(errorType: string, errorMessage: string) {
    super(errorMessage)
    this.name = errorType
  }
}
