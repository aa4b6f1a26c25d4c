import type { StatesError } from './errors.ts'
import type { Catcher, Retrier } from './machine.ts'

/**
 * Whether a list of error names covers an error.
 * `States.ALL` and `States.TaskFailed` leave out `States.DataLimitExceeded`, the latter also `States.Timeout`.
 * `States.Runtime` can be handled by nothing. Source: Step Functions developer guide, "Handling errors"; the service
 * itself has been seen to let `States.ALL` catch a task result that is too large, so definitions that care name the error.
 */
function matchesError(names: readonly string[], error: StatesError): boolean {
  if (error.fatal) return false
  if (names.includes(error.name)) return true
  if (error.name === 'States.DataLimitExceeded') return false
  return names.includes('States.ALL') || (names.includes('States.TaskFailed') && error.name !== 'States.Timeout')
}

export const findCatcher = (catchers: readonly Catcher[], error: StatesError): Catcher | undefined =>
  catchers.find((catcher) => matchesError(catcher.errors, error))

/** Counts one state's attempts, each retrier on its own account. */
export interface Retries {
  readonly count: number
  /** Milliseconds until the next attempt; undefined when there is to be none. */
  delay(error: StatesError): number | undefined
}

/** The first retrier that matches decides alone: when its attempts are used up, no later one is asked. */
export function createRetries(retriers: readonly Retrier[], random: () => number): Retries {
  const attempts = new Map<Retrier, number>()
  let count = 0
  return {
    get count() {
      return count
    },
    delay(error) {
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
