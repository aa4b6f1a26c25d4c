import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { AwsAccess } from './aws-access.ts'

/** Reads the current key and secret of the local project. A rotation may have replaced those of its start. */
export async function readProjectKey(
  access: AwsAccess,
  SecretId: string | undefined,
): Promise<{ apiKey: string; apiSecret: string } | undefined> {
  if (!SecretId) return undefined
  const manager = new SecretsManagerClient(access)
  try {
    const { SecretString = '' } = await manager.send(new GetSecretValueCommand({ SecretId }))
    return JSON.parse(SecretString)
  } finally {
    manager.destroy()
  }
}
