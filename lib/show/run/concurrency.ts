import { PlatformError } from '../../platform/client/errors.ts'
import { TaskConfigError, TaskInputError } from '../../tasks/errors.ts'
import { isTransient } from './platform-errors.ts'

/** How many calls one task makes at once: the platform names no rate, and a show may have fifty recordings. */
const MAX_CONCURRENT = 10

/** Does all of it, a few at a time; none keeps another from being done. In the order given. */
export async function allSettledLimited<T>(acts: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = []
  const left = acts.entries() // which the workers share
  const work = async () => {
    for (const [index, act] of left) {
      const [outcome] = await Promise.allSettled([act()])
      outcomes[index] = outcome
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, acts.length) }, work))
  return outcomes
}

/** Of several failures the one to throw: what may pass by itself comes first, since it has the task repeated. */
export const firstRetryable = (failures: readonly unknown[]): unknown =>
  failures.find((failure) => !isFinal(failure)) ?? failures[0]

/** Whether trying again at once does not help. */
export const isFinal = (error: unknown): boolean =>
  error instanceof TaskInputError ||
  error instanceof TaskConfigError ||
  (error instanceof PlatformError && !isTransient(error))
