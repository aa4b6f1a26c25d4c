import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../../../../lib/clock.ts'
import type { Cloud } from '../../../cloud/cloud.ts'
import { signByClock } from '../../../cloud/functions/in-process-handler.ts'
import { awsClientConfig } from '../services.ts'

/** Reads the secret by which the platform signs the callbacks that Showrunner receives at `/callbacks/all`, as an operator does. */
export async function readCallbackSecret(
  cloud: Pick<Cloud, 'aws' | 'credentials' | 'outputs'>,
  clock: Clock,
): Promise<string> {
  const client = new SecretsManagerClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  const { SecretString = '{}' } = await client.send(
    new GetSecretValueCommand({ SecretId: cloud.outputs.PlatformCallbacksArn }),
  )
  return (JSON.parse(SecretString) as { readonly all: string }).all
}
