import { PutSecretValueCommand, RotateSecretCommand } from '@aws-sdk/client-secrets-manager'
import { createSecretsClient } from '../environment/secrets-client.ts'
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
    observer,
    publishedKeys,
  }: Pick<ChaosTargets, 'cloud' | 'clock' | 'faults' | 'random' | 'observer' | 'publishedKeys'>,
): Promise<void> {
  const SecretId = cloud.outputs[rotatedSecrets[of]]
  const client = createSecretsClient({ cloud, clock })
  const SecretString = JSON.stringify({ secret: random.hex(64) })
  const secret = { SecretId, ClientRequestToken: observer.newId() }
  const rotate = () =>
    of === 'callback key' // has no other holder, and so no function that rotates it
      ? client.send(new PutSecretValueCommand({ ...secret, SecretString }))
      : client.send(new RotateSecretCommand(secret))
  if (of === 'callback key') await publishedKeys.read() // the oldest of them is removed
  if (await rotate().catch(() => undefined)) faults.record('rotation', `the ${of} is rotated`)
}
