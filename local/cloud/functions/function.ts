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
}

/** The part of Lambda's context that functions here look at. */
export interface InvocationContext {
  readonly awsRequestId: string
  readonly functionName: string
  readonly functionVersion: string
  readonly invokedFunctionArn: string
  readonly memoryLimitInMB: string
}

/** Runs a function once, as the Invoke API does; rejects with a FunctionError when the function fails. */
export type Invoke = (spec: FunctionSpec, event: unknown, context: InvocationContext) => Promise<unknown>

/** A failed invocation. Name and message are those of the function's own error: Step Functions hands on both. */
export class FunctionError extends Error {
  constructor(errorType: string, errorMessage: string) {
    super(errorMessage)
    this.name = errorType
  }
}

/** The most bytes of JSON that an invocation takes or gives (Lambda quotas: 6 MB, synchronous). */
export const MOST_PAYLOAD_BYTES = 6_291_556
