import type { StepFunctions } from '../../local/cloud/states/step-functions.ts'
import { priceOf } from '../prices.ts'

/** Usage of executions, as Step Functions and Lambda count it. */
export interface ExecutionUsage {
  readonly executions: number
  readonly failed: number
  /** States entered. AWS counts a retry as another. */
  readonly transitions: number
  readonly invocations: number
  /** Events of the longest history: of one execution, or of all that polled the same resource. */
  readonly longest: number
}

export interface TimedUsage extends ExecutionUsage {
  /** Seconds on this machine’s clock. */
  readonly seconds: number
}

export function usageOf(
  stepFunctions: StepFunctions,
  executions: readonly { readonly executionArn: string }[],
): ExecutionUsage {
  const histories = executions.map((one) => stepFunctions.executionHistory(one))
  const count = (pattern: RegExp) => histories.flat().filter(({ type }) => pattern.test(type)).length
  return {
    executions: executions.length,
    failed: executions.filter((one) => stepFunctions.describeExecution(one).status !== 'SUCCEEDED').length,
    transitions: count(/StateEntered$/),
    invocations: count(/^LambdaFunctionStarted$/),
    longest: Math.max(0, ...histories.map(({ length }) => length)),
  }
}

/** Assumed duration and memory of an invocation, with up to two calls of the platform and three of the bucket. */
export const assumed = { seconds: 0.3, gigabytes: 256 / 1_024 } as const

/** Returns the price of a usage in US dollars. */
export const priceOfUsage = ({
  transitions,
  invocations,
}: Pick<ExecutionUsage, 'transitions' | 'invocations'>): number =>
  priceOf({
    transition: transitions,
    invocation: invocations,
    gigabyteSecond: invocations * assumed.seconds * assumed.gigabytes,
  })
