import type { FailedCall } from '../faults/faults.ts'

/** Returns the faults of calls that these functions make, of their invocations, and of executions of this name. */
export const faultsOf = (failedCalls: readonly FailedCall[], names: RegExp): FailedCall[] =>
  failedCalls.filter(({ caller, operation }) => names.test(caller) || names.test(operation.replace(/^lambda /, '')))
