import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../../../lib/clock.ts'
import type { Cloud } from '../../cloud/cloud.ts'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { awsClientConfig } from './services.ts'

interface Reach {
  readonly cloud: Pick<Cloud, 'aws' | 'credentials' | 'outputs'>
  readonly clock: Clock
}

/** Reads the current version of a secret of the stack, as an operator does. @param output the output of the stack with its ARN */
export async function readStoredSecret({ cloud, clock }: Reach, output: string) {
  const client = new SecretsManagerClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  const command = new GetSecretValueCommand({ SecretId: cloud.outputs[output] })
  const { SecretString = '{}', VersionId: versionId = '' } = await client.send(command)
  return { versionId, value: JSON.parse(SecretString) as Partial<Record<string, string>> }
}

/** Reads the secret by which the platform signs the callbacks that Showrunner receives at `/callbacks/all`. */
export async function readCallbackSecret(reach: Reach): Promise<string> {
  const { value } = await readStoredSecret(reach, 'PlatformCallbacksArn')
  return value.all ?? ''
}
