import type { StatesError } from '../definition/errors.ts'
import type { Catcher, Retrier } from '../definition/machine.ts'

/**
 * Returns true when a list of error names covers an error. Nothing covers `States.Runtime`.
 * `States.TaskFailed` leaves out `States.Timeout` and `States.DataLimitExceeded`.
 * Source: Step Functions developer guide, "Handling errors". The guide also takes `States.DataLimitExceeded` out of
 * `States.ALL`; executions recorded on AWS show that the service catches it.
 */
function matchesError(names: readonly string[], error: StatesError): boolean {
  if (error.fatal) return false
  if (names.includes(error.name)) return true
  if (names.includes('States.ALL')) return true
  return names.includes('States.TaskFailed') && !NOT_TASK_FAILED.has(error.name)
}

const NOT_TASK_FAILED: ReadonlySet<string> = new Set(['States.Timeout', 'States.DataLimitExceeded'])

export const findCatcher = (catchers: readonly Catcher[], error: StatesError): Catcher | undefined =>
  catchers.find((catcher) => matchesError(catcher.errors, error))

/** Counts the attempts of a state for each retrier. */
export type StateRetries = ReturnType<typeof createStateRetries>

/** Creates the retries of a state. The first matching retrier decides alone, even after its last attempt. */
export function createStateRetries(retriers: readonly Retrier[], random: () => number) {
  const attempts = new Map<Retrier, number>()
  let count = 0
  return {
    get count(): number {
      return count
    },
    /** Returns milliseconds until the next attempt; undefined if there is none. */
    delay(error: StatesError): number | undefined {
      const retrier = retriers.find(({ errors }) => matchesError(errors, error))
      if (!retrier) return undefined
      const made = attempts.get(retrier) ?? 0
      if (made >= retrier.maxAttempts) return undefined
      attempts.set(retrier, made + 1)
      count++
      const seconds = Math.min(retrier.intervalSeconds * retrier.backoffRate ** made, retrier.maxDelaySeconds)
      return seconds * 1000 * (retrier.isJittered ? random() : 1)
    },
  }
}
