import { ServiceError, TaskInputError } from '../tasks/errors.ts'

/**
 * Calls an AWS service, and gives its errors one name that Step Functions retries.
 * @param what completes the sentence of the error: `IAM failed while listing keys`
 * @throws {@link ServiceError} for every error except a TaskInputError
 */
export async function attempt<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    if (cause instanceof TaskInputError) throw cause
    const { name, message } = cause as Error
    throw new ServiceError(`${what} (${name}: ${message}).`, { cause })
  }
}
