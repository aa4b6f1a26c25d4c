import { PlatformAuthError, PlatformError, PlatformNotFoundError, PlatformRequestError } from './errors.ts'

/**
 * Deletes an archive. A 403 of deleteArchive means invalid credentials or an unknown archive. getArchive distinguishes them:
 * it answers 400 to an unknown archive and 403 to invalid credentials.
 * @throws {@link PlatformNotFoundError} with status 403 if the archive does not exist
 */
export async function deleteKnownArchive(
  deleteArchive: () => Promise<unknown>,
  getArchive: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await deleteArchive()
  } catch (refusal) {
    if (!(refusal instanceof PlatformAuthError) || refusal.status !== 403) throw refusal
    const problem = await getArchive().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (problem instanceof PlatformRequestError && problem.status === 400) throw notFoundError(refusal, problem)
    throw problem === undefined || problem instanceof PlatformError ? refusal : problem // or the signal's reason
  }
}

function notFoundError(
  { status, details }: PlatformError,
  { details: { message } }: PlatformError,
): PlatformNotFoundError {
  const reason = message ? ` (${message.replace(/\.$/, '')})` : ''
  return new PlatformNotFoundError(
    `${details.operation} was answered 403 and getArchive 400${reason}: there is no such archive; check its id.`,
    { status, details },
  )
}
