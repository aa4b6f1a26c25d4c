import { S3ServiceException } from '@aws-sdk/client-s3'
import { StorageError, TaskConfigError } from '../../tasks/errors.ts'

/** Calls S3, and gives its errors one name that Step Functions retries. */
export async function callStorage<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    throw failed(what, cause)
  }
}

/** Yields the pieces of a body, which may be interrupted long after S3 answered. */
export async function* attemptEach<T>(what: string, pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* pieces
  } catch (cause) {
    throw failed(what, cause)
  }
}

function failed(what: string, cause: unknown): StorageError | TaskConfigError {
  // HeadObject has no body: it cannot distinguish a missing bucket from a missing object.
  if (cause instanceof S3ServiceException && cause.name === 'NoSuchBucket')
    return new TaskConfigError('The bucket does not exist: redeploy the stack.', { cause })
  const words = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return new StorageError(`The bucket failed while ${what} (${words}).`, { cause })
}

const statusOf = (error: unknown) =>
  error instanceof StorageError && error.cause instanceof S3ServiceException
    ? error.cause.$metadata.httpStatusCode
    : undefined
export const isMissing = (error: unknown) => statusOf(error) === 404
/** Returns true for an access error; S3 also answers so for a missing object if the caller may not list the bucket. */
export const isRefused = (error: unknown) => statusOf(error) === 403
/** Matches 412 (the condition failed) and 409 (another conditional write was under way). */
export const isConflict = (error: unknown) => statusOf(error) === 412 || statusOf(error) === 409
