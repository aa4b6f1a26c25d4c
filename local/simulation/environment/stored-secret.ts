import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { type Account, createSecretsClient } from './secrets-client.ts'

/** Reads the current version of a secret of the stack, as an operator does. @param output the output of the stack with its ARN */
export async function readStoredSecret({ cloud, clock }: Account, output: string) {
  const client = createSecretsClient({ cloud, clock })
  const command = new GetSecretValueCommand({ SecretId: cloud.outputs[output] })
  const { SecretString = '{}', VersionId: versionId = '' } = await client.send(command)
  return { versionId, value: JSON.parse(SecretString) as Partial<Record<string, string>> }
}

/** Reads the secret by which the platform signs the callbacks that Showrunner receives at `/callbacks/all`. */
export async function readCallbackSecret(account: Account): Promise<string> {
  const { value } = await readStoredSecret(account, 'PlatformCallbacksArn')
  return value.all ?? ''
}
