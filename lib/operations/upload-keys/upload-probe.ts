import { S3ServiceException } from '@aws-sdk/client-s3'
import type { UploadKey } from '../../aws/access-keys.ts'
import type { Services } from '../../services.ts'
import { keys } from '../../show/state/keys.ts'
import { ServiceError, StorageError } from '../../tasks/errors.ts'

/** Seconds between attempts: a minute in all, because changes of IAM take seconds or longer to propagate. */
const PAUSES = [1, 2, 4, 8, 15, 15, 15] as const

/**
 * Waits until a key can write an object where the platform writes archives.
 * @throws {@link ServiceError} when the bucket still refuses it after a minute
 * @throws {@link StorageError} when the bucket fails otherwise
 */
export async function awaitUploadRight(
  { storageAs, project, clock }: Pick<Services, 'storageAs' | 'project' | 'clock'>,
  key: UploadKey,
): Promise<void> {
  const storage = storageAs(key)
  const probe = keys.uploadProbe(await project.apiKey())
  for (const seconds of [0, ...PAUSES]) {
    if (seconds > 0) await clock.sleep(seconds * 1000)
    try {
      return await storage.put(probe, '', 'text/plain')
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  throw new ServiceError(
    `The bucket refuses uploads with the new key ${key.accessKeyId}: check the policy of the upload user.`,
  )
}

const isRefusal = (error: unknown) =>
  error instanceof StorageError &&
  error.cause instanceof S3ServiceException &&
  error.cause.$metadata.httpStatusCode === 403
