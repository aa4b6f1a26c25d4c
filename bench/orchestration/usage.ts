import type { StepFunctions } from '../../local/cloud/states/operations.ts'

/** Usage of executions, as Step Functions and Lambda count it. */
export interface Usage {
  readonly executions: number
  /** Number of executions that did not succeed. */
  readonly failed: number
  /** States entered. AWS counts a retry as another. */
  readonly transitions: number
  /** Invocations of functions. */
  readonly invocations: number
  /** Events of the longest history. */
  readonly longest: number
}

export function usageOf(stepFunctions: StepFunctions, executions: readonly { readonly executionArn: string }[]): Usage {
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
