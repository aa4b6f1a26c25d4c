import { createStatesEndpoint } from './endpoint.ts'
import { createOperations, type StepFunctionsOptions } from './operations.ts'

export type StepFunctions = ReturnType<typeof createStepFunctions>

/** Creates Step Functions for JSONata state machines, without a socket and with all time from the clock. */
export function createStepFunctions(options: StepFunctionsOptions) {
  const operations = createOperations(options)
  /** Handles AWS’s JSON 1.0 protocol. The signature is checked before. */
  return { ...operations, fetch: createStatesEndpoint(operations, options.random) }
}
