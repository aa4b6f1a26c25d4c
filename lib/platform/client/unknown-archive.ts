import { PlatformAuthError, PlatformError, PlatformNotFoundError, PlatformRequestError } from './errors.ts'

/**
 * Deletes an archive. A 403 of deleteArchive means bad credentials or an unknown archive. getArchive distinguishes them: it
 * answers an unknown archive 400 and bad credentials 403.
 * @throws {@link PlatformNotFoundError} of status 403 when the archive does not exist, else the error of deleteArchive
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
    if (problem instanceof PlatformRequestError && problem.status === 400) throw notFound(refusal, problem)
    throw problem === undefined || problem instanceof PlatformError ? refusal : problem // the signal's reason
  }
}

function notFound({ status, details }: PlatformError, { details: { message } }: PlatformError): PlatformNotFoundError {
  const words = message ? ` (${message.replace(/\.$/, '')})` : ''
  return new PlatformNotFoundError(
    `${details.operation} was answered 403 and getArchive 400${words}: there is no such archive; check its id.`,
    { status, details },
  )
}
