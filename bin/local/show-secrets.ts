import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { destinationsKeyOf } from '../../lib/show/document/secret-destination.ts'
import { type AwsAccess, disposable } from './aws-access.ts'

export interface ShowSecret {
  /** Name without the prefix for secrets of shows. */
  readonly name: string
  readonly key: string
  /** @default the stored value */
  readonly value?: string
  /** Servers to which the value may be sent. @default the stored ones */
  readonly destinations?: readonly string[] | undefined
}

/**
 * Stores one key with its destinations in a secret for shows. Creates the secret if it does not exist, and keeps its other
 * keys. On AWS, an operator does this in Secrets Manager.
 * @param prefix prefix of the names of such secrets
 * @throws Error when the value or the destinations are neither passed nor stored, or the secret is not a JSON object
 */
export async function setShowSecret(access: AwsAccess, prefix: string, secret: ShowSecret): Promise<void> {
  using manager = disposable(new SecretsManagerClient(access))
  const SecretId = `${prefix}${secret.name}`
  const present = await manager.send(new GetSecretValueCommand({ SecretId })).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  })
  const keys = present ? readKeys(present.SecretString ?? '', SecretId) : {}
  const SecretString = JSON.stringify({ ...keys, ...entriesOf(secret, keys) })
  if (present) await manager.send(new PutSecretValueCommand({ SecretId, SecretString }))
  else await manager.send(new CreateSecretCommand({ Name: SecretId, SecretString }))
}

function entriesOf({ name, key, value, destinations }: ShowSecret, keys: Readonly<Record<string, unknown>>) {
  const list = destinationsKeyOf(key)
  if (value === undefined && keys[key] === undefined)
    throw new Error(`There is no value ${name}#${key} yet. Set it with "secret set" first.`)
  if (destinations === undefined && keys[list] === undefined)
    throw new Error(`${name}#${key} has no servers to which it may be sent. Name each with --for <server>.`)
  return { ...(value !== undefined && { [key]: value }), ...(destinations && { [list]: destinations }) }
}

function readKeys(text: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const keys: unknown = JSON.parse(text)
    if (typeof keys === 'object' && keys !== null && !Array.isArray(keys)) return keys as Record<string, unknown>
  } catch {} // the error below does not quote the text
  throw new Error(`The secret ${name} is not a JSON object, so it cannot hold keys. Choose another name.`)
}
