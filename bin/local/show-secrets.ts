import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { destinationsKeyOf } from '../../lib/show/document/secret-destination.ts'
import type { AwsAccess } from './aws-access.ts'

export interface ShowSecret {
  /** Below the deployment's prefix for secrets of shows. */
  readonly name: string
  readonly key: string
  /** @default the present one */
  readonly value?: string
  /** Servers that the value may be sent to. @default the present ones */
  readonly destinations?: readonly string[] | undefined
}

/**
 * Puts one key with its destinations into a secret that shows may refer to, as whoever deploys to AWS does by hand. The secret
 * is made when there is none, and its other keys stay as they are.
 * @param prefix of the names of such secrets
 * @throws Error with one sentence when value or destinations are given neither now nor before, and when the secret of that
 *   name is not a JSON object
 */
export async function setShowSecret(access: AwsAccess, prefix: string, secret: ShowSecret): Promise<void> {
  const manager = new SecretsManagerClient(access)
  const SecretId = `${prefix}${secret.name}`
  try {
    const present = await manager.send(new GetSecretValueCommand({ SecretId })).catch((error) => {
      if (error instanceof ResourceNotFoundException) return undefined
      throw error
    })
    const keys = present ? readKeys(present.SecretString ?? '', SecretId) : {}
    const SecretString = JSON.stringify({ ...keys, ...entriesOf(secret, keys) })
    if (present) await manager.send(new PutSecretValueCommand({ SecretId, SecretString }))
    else await manager.send(new CreateSecretCommand({ Name: SecretId, SecretString }))
  } finally {
    manager.destroy()
  }
}

function entriesOf({ name, key, value, destinations }: ShowSecret, keys: Readonly<Record<string, unknown>>) {
  const list = destinationsKeyOf(key)
  if (value === undefined && keys[key] === undefined)
    throw new Error(`There is no value ${name}#${key} yet: set it with "secret set" first.`)
  if (destinations === undefined && keys[list] === undefined)
    throw new Error(`${name}#${key} needs the servers that it may be sent to: give each with --for <server>.`)
  return { ...(value !== undefined && { [key]: value }), ...(destinations && { [list]: destinations }) }
}

function readKeys(text: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const keys: unknown = JSON.parse(text)
    if (typeof keys === 'object' && keys !== null && !Array.isArray(keys)) return keys as Record<string, unknown>
  } catch {} // told below, without the text
  throw new Error(`The secret ${name} is no JSON object, so no key can be put into it.`)
}
