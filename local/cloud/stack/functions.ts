import type { AsyncInvocation, FunctionSpec } from '../functions/function.ts'
import { functionArn, functionName } from './creators.ts'
import type { AllOf } from './routes.ts'

export interface FunctionsOptions {
  readonly all: AllOf
  readonly assetFolder: (objectKey: string) => string
  /** Returns the ARN of a queue of the stack. @throws Error naming the user of any other ARN */
  readonly requireQueue: (user: string, arn: unknown) => string
}

/** @throws Error naming the function and what is not supported */
export function readFunctions({ all, assetFolder, requireQueue }: FunctionsOptions): FunctionSpec[] {
  const laterOf = readInvokeConfigs(all, requireQueue)
  return all<FunctionProperties>('AWS::Lambda::Function').map(({ id, properties }) => {
    const { TargetArn: deadLetters } = properties.DeadLetterConfig ?? {}
    const later = laterOf.get(id)
    return {
      logicalId: id,
      name: id,
      arn: functionArn(id),
      folder: assetFolder(assetKey(id, properties)),
      handler: properties.Handler,
      environment: properties.Environment?.Variables ?? {},
      timeout: properties.Timeout ?? 3,
      memory: properties.MemorySize ?? 128,
      ...(deadLetters !== undefined && { deadLetterQueue: requireQueue(id, deadLetters) }),
      ...(later && { later }),
    }
  })
}

export const readFunctionVersions = (all: AllOf) =>
  all<{ FunctionName?: unknown }>('AWS::Lambda::Version').map(({ ref, properties }) => ({
    arn: ref,
    /** ARN of the function without a version. */
    functionArn: functionArn(functionName(properties.FunctionName)),
  }))

/** Reads the configuration of asynchronous invocations, by the function’s logical id and the version. */
function readInvokeConfigs(all: AllOf, requireQueue: FunctionsOptions['requireQueue']) {
  const byFunction = new Map<string, Record<string, AsyncInvocation>>()
  for (const { id, properties } of all<InvokeConfigProperties>('AWS::Lambda::EventInvokeConfig')) {
    const { MaximumRetryAttempts: retries, MaximumEventAgeInSeconds: maximumAge } = properties
    const destination = properties.DestinationConfig?.OnFailure?.Destination
    const name = functionName(properties.FunctionName)
    byFunction.set(name, {
      ...byFunction.get(name),
      [properties.Qualifier]: {
        ...(retries !== undefined && { retries }),
        ...(maximumAge !== undefined && { maximumAge }),
        ...(destination !== undefined && { onFailure: requireQueue(id, destination) }),
      },
    })
  }
  return byFunction
}

function assetKey(id: string, { Code: { S3Key: key } }: FunctionProperties): string {
  if (typeof key === 'string') return key
  throw new Error(`${id}: only code from an asset is supported locally.`)
}

interface FunctionProperties {
  Code: { S3Key?: unknown }
  Handler: string
  Timeout?: number
  MemorySize?: number
  Environment?: { Variables: Record<string, string> }
  DeadLetterConfig?: { TargetArn?: unknown }
}
interface InvokeConfigProperties {
  FunctionName: string
  Qualifier: string
  MaximumRetryAttempts?: number
  MaximumEventAgeInSeconds?: number
  DestinationConfig?: { OnFailure?: { Destination?: unknown } }
}
