import type { StepFunctions } from '../../local/cloud/states/operations.ts'

/** What executions have taken, as Step Functions and Lambda count it. */
export interface Usage {
  readonly executions: number
  /** Those that did not succeed. */
  readonly failed: number
  /** States entered; AWS counts a retry as another. */
  readonly transitions: number
  /** Of functions. */
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
