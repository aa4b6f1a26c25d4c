import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { createSecretsClient } from '../environment/secrets-client.ts'
import type { StackParts } from './stack-parts.ts'

type Deployed = Pick<StackParts, 'cloud' | 'clock' | 'observer'>

/** Secrets that a function rotates: the stack's output with the ARN of each, and the function. */
const rotated = {
  'project secret': { output: 'ProjectSecretArn', rotator: 'RotateProjectSecret' },
  'upload key': { output: 'UploadKeySecretArn', rotator: 'RotateUploadKey' },
} as const
export type RotatedCredential = keyof typeof rotated

/** Seconds between polls of a rotation, and their number: more than its retries and two follow-ups take. */
const POLL = 30
const POLLS = 300
/** Polls after which an operator starts a rotation again (docs/runbook.md, "Rotations failed"). */
const PATIENCE = 25

/** Returns the versions with the labels of a rotation. */
async function labelsOf(client: SecretsManagerClient, SecretId: string | undefined) {
  const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }))
  const versionAt = (label: string) =>
    Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(label))?.[0]
  return { current: versionAt('AWSCURRENT'), pending: versionAt('AWSPENDING') }
}

/** Returns true if a rotation has begun and not ended. */
export async function isRotating(of: RotatedCredential, deployed: Deployed): Promise<boolean> {
  const { current, pending } = await labelsOf(createSecretsClient(deployed), deployed.cloud.outputs[rotated[of].output])
  return pending !== undefined && pending !== current
}

/**
 * Rotates a secret as `showrunner rotate … --wait` does. Starts it again if it ends without a new version.
 * @param polls at most, half a minute apart
 * @returns true if the secret has another version
 */
export async function rotateAndWait(of: RotatedCredential, deployed: Deployed, polls = POLLS): Promise<boolean> {
  const { cloud, clock, observer } = deployed
  const [client, SecretId] = [createSecretsClient(deployed), cloud.outputs[rotated[of].output]]
  const { current: former } = await labelsOf(client, SecretId)
  for (let poll = 0; poll < polls; poll++) {
    const { current, pending } = await labelsOf(client, SecretId)
    if (current !== former) return true
    if (pending === undefined || pending === current || poll % PATIENCE === PATIENCE - 1) {
      const rotation = { SecretId, ClientRequestToken: observer.newId() }
      await client.send(new RotateSecretCommand(rotation)).catch(() => {}) // the former one may not have ended
    }
    await clock.sleep(POLL * 1000)
  }
  return false
}

/** Polls for which a revocation waits for the new key: ten minutes. */
const REVOCATION_POLLS = 20

/** Replaces the upload key and revokes every former one, as `showrunner rotate upload-key --revoke` does. */
export async function revokeUploadKeys(deployed: Deployed): Promise<boolean> {
  const { cloud } = deployed
  const { arn = '' } = cloud.functions.find(({ logicalId }) => logicalId.startsWith('RotateUploadKey')) ?? {}
  const revoke = () =>
    cloud.invocations.invoke(arn, { Step: 'revoke' }).then(
      () => true,
      () => false,
    )
  if (!(await revoke())) return false
  return (await rotateAndWait('upload key', deployed, REVOCATION_POLLS)) && (await revoke())
}

/**
 * Tests a rotation as Secrets Manager does when it is deployed without an immediate rotation: on a pending copy of the value, which
 * it removes afterwards (Secrets Manager API reference, "RotateSecret", "RotateImmediately").
 * @returns the reason if the function fails
 */
export async function testRotation(of: RotatedCredential, deployed: Deployed, versionId: string): Promise<string> {
  const { cloud } = deployed
  const { output, rotator } = rotated[of]
  const [client, SecretId = ''] = [createSecretsClient(deployed), cloud.outputs[output]]
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }))
  const pending = { SecretId, ClientRequestToken: versionId, SecretString, VersionStages: ['AWSPENDING'] }
  await client.send(new PutSecretValueCommand(pending))
  const { arn = '' } = cloud.functions.find(({ logicalId }) => logicalId.startsWith(rotator)) ?? {}
  const event = { Step: 'testSecret', SecretId, ClientRequestToken: versionId }
  const problem = await cloud.invocations.invoke(arn, event).then(
    () => '',
    ({ message }: Error) => message,
  )
  const removed = { SecretId, VersionStage: 'AWSPENDING', RemoveFromVersionId: versionId }
  await client.send(new UpdateSecretVersionStageCommand(removed))
  return problem
}
