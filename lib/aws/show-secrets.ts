import { z } from 'zod'
import { covers, destinationsKeyOf } from '../show/document/secret-destination.ts'
import { parseReference, type SecretReference } from '../show/document/secret-reference.ts'
import { TaskConfigError } from '../tasks/errors.ts'
import type { Secrets } from './secrets.ts'

/** Secrets that shows refer to. No value leaves the task that resolved it. */
export interface ShowSecrets {
  /**
   * Returns the value of a reference, read without a cache because its owner may have changed it.
   * @param destination URL that the value is sent to; an entry of the list beside the value must cover it
   * @throws {@link TaskConfigError} with the same message whether the secret, its key or the destination is missing, so that
   *   a reference cannot probe which secrets exist; the cause is precise
   * @throws {@link ServiceError} when Secrets Manager fails
   */
  resolve(reference: SecretReference, destination: string): Promise<string>
}

/** Creates the resolver. @param prefix of the secrets that shows may refer to; the function's role grants no others */
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
  const { name, key } = parseReference({ secret })
  const place = placeOf(destination)
  const message = [
    `The secret ${secret} cannot be sent to ${place}:`,
    `there is no such value, or "${destinationsKeyOf(key)}" beside it does not list this destination.`,
    `Store both (docs/deploy.md, Secrets of shows); on this machine by "showrunner secret set ${name} ${key} --for ${place}".`,
  ]
  return new TaskConfigError(message.join(' '), { cause })
}

/** Returns a URL up to its host, so that the message stays short. */
const placeOf = (url: string) => (/^[a-z]+:(\/\/)?[^/;?]+/i.exec(url)?.[0] ?? 'that server').slice(0, 200)
