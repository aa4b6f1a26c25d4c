import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { AwsAccess } from './aws-access.ts'

export interface ShowSecret {
  /** Below the deployment's prefix for secrets of shows. */
  readonly name: string
  readonly key: string
  readonly value: string
}

/**
 * Puts one key into a secret that shows may refer to, as whoever deploys to AWS does by hand; the secret is made when there
 * is none, and its other keys stay as they are.
 * @param prefix of the names of such secrets
 * @throws Error when there is a secret of that name that is no JSON object
 */
export async function setShowSecret(access: AwsAccess, prefix: string, { name, key, value }: ShowSecret) {
  const manager = new SecretsManagerClient(access)
  const SecretId = `${prefix}${name}`
  try {
    const present = await manager.send(new GetSecretValueCommand({ SecretId })).catch((error) => {
      if (error instanceof ResourceNotFoundException) return undefined
      throw error
    })
    const keys = present ? readKeys(present.SecretString ?? '', SecretId) : {}
    const SecretString = JSON.stringify({ ...keys, [key]: value })
    if (present) await manager.send(new PutSecretValueCommand({ SecretId, SecretString }))
    else await manager.send(new CreateSecretCommand({ Name: SecretId, SecretString }))
  } finally {
    manager.destroy()
  }
}

function readKeys(text: string, name: string): object {
  try {
    const keys: unknown = JSON.parse(text)
    if (typeof keys === 'object' && keys !== null && !Array.isArray(keys)) return keys
  } catch {} // told below, without the text
  throw new Error(`The secret ${name} is no JSON object, so no key can be put into it.`)
}
