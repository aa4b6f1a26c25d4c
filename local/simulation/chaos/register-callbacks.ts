import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { addresses } from '../environment/addresses.ts'
import { awsClientConfig } from '../environment/services.ts'
import type { ChaosTargets } from './chaos-targets.ts'

/** Registers Showrunner’s callback route at the platform, as an operator does on the platform’s account page. */
export async function registerCallbacks({
  cloud,
  clock,
  platform,
}: Pick<ChaosTargets, 'cloud' | 'clock' | 'platform'>): Promise<void> {
  const client = new SecretsManagerClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  const { SecretString = '{}' } = await client.send(
    new GetSecretValueCommand({ SecretId: cloud.outputs.PlatformCallbacksArn }),
  )
  const { all: secret } = JSON.parse(SecretString) as { readonly all: string }
  const { projectKey } = platform
  const answer = await platform.fetch(
    new Request(`http://localhost/sandbox/projects/${projectKey}/callbacks`, {
      method: 'PUT',
      body: JSON.stringify({ url: `${addresses.callbacks}/callbacks/all`, secret }),
    }),
  )
  if (!answer.ok) throw new Error(`The sandbox refused to register callbacks: ${await answer.text()}`)
}
