import { PutSecretValueCommand, RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { awsClientConfig } from '../environment/services.ts'
import { type RotatedSecret, rotatedSecrets } from './chaos.ts'
import type { ChaosTargets } from './chaos-targets.ts'

/** Rotates a secret as an operator does. A rotation that is refused, because another one is under way, is none. */
export async function rotateSecret(
  of: RotatedSecret,
  {
    cloud,
    clock,
    faults,
    random,
    publishedKeys,
  }: Pick<ChaosTargets, 'cloud' | 'clock' | 'faults' | 'random' | 'publishedKeys'>,
): Promise<void> {
  const SecretId = cloud.outputs[rotatedSecrets[of]]
  const client = new SecretsManagerClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  const SecretString = JSON.stringify({ secret: random.hex(64) })
  const rotate = () =>
    of === 'callback key' // has no other holder, and so no function that rotates it
      ? client.send(new PutSecretValueCommand({ SecretId, SecretString }))
      : client.send(new RotateSecretCommand({ SecretId }))
  if (of === 'callback key') await publishedKeys.read() // the oldest of them is removed
  if (await rotate().catch(() => undefined)) faults.record('rotation', `the ${of} is rotated`)
}
