import { PlatformError } from '../../platform/client/errors.ts'
import { TaskConfigError, TaskInputError } from '../../tasks/errors.ts'
import { isTransient } from './platform-errors.ts'

/** Calls that one task makes at once: the platform documents no rate, and a show may have fifty recordings. */
const MAX_CONCURRENT = 10

/** Makes calls like `Promise.allSettled`, but only a few at once. The outcomes are in the order of the calls. */
export async function allSettledLimited<T>(calls: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = []
  const left = calls.entries() // shared by the workers
  const work = async () => {
    for (const [index, call] of left) {
      const [outcome] = await Promise.allSettled([call()])
      outcomes[index] = outcome
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, calls.length) }, work))
  return outcomes
}

/** Picks the failure to rethrow: a transient one if there is one, so that Step Functions retries the task. */
export const firstRetryable = (failures: readonly unknown[]): unknown =>
  failures.find((failure) => !isFinal(failure)) ?? failures[0]

/** Returns whether a retry does not help. */
export const isFinal = (error: unknown): boolean =>
  error instanceof TaskInputError ||
  error instanceof TaskConfigError ||
  (error instanceof PlatformError && !isTransient(error))
