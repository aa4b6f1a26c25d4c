import { z } from 'zod'
import { parseReference, type SecretReference } from '../workflow/orders/secret-reference.ts'
import type { Secrets } from './secrets.ts'

/** Values that shows refer to. None of them leaves the task that asked for it. */
export interface ShowSecrets {
  /**
   * The text a reference stands for, read anew each time: whoever owns it may have changed it since.
   * @throws TaskConfigError naming the secret, never its value, when it is missing, out of reach or has no such text
   * @throws ServiceError when Secrets Manager does not answer as it should
   */
  resolve(reference: SecretReference): Promise<string>
}

/** @param prefix of the names of all secrets that shows may refer to; the function's role holds it to the same */
export const createShowSecrets = (secrets: Secrets, prefix: string): ShowSecrets => ({
  async resolve(reference) {
    const { name, key } = parseReference(reference)
    const shape = z.object({ [key]: z.string().min(1) })
    return (await secrets.read(prefix + name, shape, { fresh: true }))[key] ?? ''
  },
})
