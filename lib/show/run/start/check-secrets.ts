import { ownerCallback } from '../../../events/owner-callback-format.ts'
import type { Services } from '../../../services.ts'
import { TaskConfigError } from '../../../tasks/errors.ts'
import { type SecretUse, secretUsesIn } from '../../document/secret-uses.ts'
import type { Show } from '../../document/show.ts'

/** A reference to a secret that cannot be used. */
export interface SecretProblem extends Pick<SecretUse, 'path' | 'reference'> {
  /** Sentence that never contains the value. */
  readonly message: string
}

type Reading = Pick<Services, 'showSecrets'>

/**
 * Reads every secret that a show refers to. Returns those that are missing, or must not be sent to their destination.
 * @throws {@link ServiceError} when Secrets Manager fails
 */
export async function findSecretProblems({ showSecrets }: Reading, show: Show): Promise<SecretProblem[]> {
  const problems = await Promise.all(
    secretUsesIn(show).map(async ({ path, reference, destination }) => {
      try {
        const value = await showSecrets.resolve(reference, destination)
        if (path !== 'callback.secret' || value.length >= ownerCallback.minSecretLength) return []
        const message = `The secret ${reference.secret} is too short: it needs ${ownerCallback.minSecretLength} characters.`
        return [{ path, reference, message }]
      } catch (error) {
        if (!(error instanceof TaskConfigError)) throw error
        return [{ path, reference, message: error.message }]
      }
    }),
  )
  return problems.flat()
}
