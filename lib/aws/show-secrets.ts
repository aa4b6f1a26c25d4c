import { z } from 'zod'
import { covers, destinationsKeyOf } from '../show/document/secret-destination.ts'
import { parseReference, type SecretReference } from '../show/document/secret-reference.ts'
import { TaskConfigError } from '../tasks/errors.ts'
import type { Secrets } from './secrets.ts'

/** Values that shows refer to. None of them leaves the task that asked for it. */
export interface ShowSecrets {
  /**
   * Returns the text that a reference stands for, read again each time: its owner may have changed it since.
   * @param destination URL that the text is sent to; one of those listed beside it must cover it
   * @throws {@link TaskConfigError} in the same words whether the secret, its key or the destination is missing, so that
   *   references say nothing about which secrets there are; the cause says more
   * @throws {@link ServiceError} when Secrets Manager does not answer as it should
   */
  resolve(reference: SecretReference, destination: string): Promise<string>
}

/** @param prefix of the names of all secrets that shows may refer to; the function's role holds it to the same */
export const createShowSecrets = (secrets: Pick<Secrets, 'read'>, prefix: string): ShowSecrets => ({
  async resolve(reference, destination) {
    const { name, key } = parseReference(reference)
    const destinationsKey = destinationsKeyOf(key)
    const shape = z.object({ [key]: z.string().min(1), [destinationsKey]: z.array(z.string()).default([]) })
    const read = await secrets.read(prefix + name, shape, { fresh: true }).catch((cause: unknown) => {
      throw cause instanceof TaskConfigError ? refusalOf(reference, destination, cause) : cause
    })
    const { [key]: value, [destinationsKey]: destinations } = read as Record<string, string & string[]>
    if (destinations?.some((one) => covers(one, destination))) return value ?? ''
    throw refusalOf(reference, destination, new Error(`"${destinationsKey}" lists no entry that covers it.`))
  },
})

function refusalOf({ secret }: SecretReference, destination: string, cause: Error): TaskConfigError {
  const [, key = ''] = secret.split('#')
  const message = [
    `The secret ${secret} cannot be sent to ${placeOf(destination)}:`,
    `there is no such value, or "${destinationsKeyOf(key)}" beside it does not list this destination.`,
    'List it there (docs/deploy.md, Secrets of shows); on this machine with "npm run showrunner -- secret bind".',
  ]
  return new TaskConfigError(message.join(' '), { cause })
}

/** A URL up to its host, so that a long one leaves room for what to do. */
const placeOf = (url: string) => (/^[a-z]+:(\/\/)?[^/;?]+/i.exec(url)?.[0] ?? 'that server').slice(0, 200)
