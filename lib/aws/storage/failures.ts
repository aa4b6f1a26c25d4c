import { S3ServiceException } from '@aws-sdk/client-s3'
import { StorageError, TaskConfigError } from '../../tasks/errors.ts'

/** Does what it is given, and gives what S3 throws one name that Step Functions retries. */
export async function attempt<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw failed(what, cause)
  }
}

/** The pieces of a body, which may break off long after S3 has answered. */
export async function* attemptEach<T>(what: string, pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* pieces
  } catch (cause) {
    throw failed(what, cause)
  }
}

/** The original is kept as the cause. */
function failed(what: string, cause: unknown): StorageError | TaskConfigError {
  // HeadObject has no body to say so in: to it an object that is not there may be a bucket that is not.
  if (cause instanceof S3ServiceException && cause.name === 'NoSuchBucket')
    return new TaskConfigError('The bucket is not there: redeploy the stack.', { cause })
  const words = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return new StorageError(`The bucket failed while ${what} (${words}).`, { cause })
}

const statusOf = (error: unknown) =>
  error instanceof StorageError && error.cause instanceof S3ServiceException
    ? error.cause.$metadata.httpStatusCode
    : undefined
export const isMissing = (error: unknown) => statusOf(error) === 404
/** Also the answer for an object that is not there, to a caller that may not list the whole bucket. */
export const isRefused = (error: unknown) => statusOf(error) === 403
/** 412: the condition did not hold; 409: another conditional write was under way. */
export const isConflict = (error: unknown) => statusOf(error) === 412 || statusOf(error) === 409
