import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { awsClientConfig } from '../environment/services.ts'
import type { StackParts } from './stack.ts'

type Deployed = Pick<StackParts, 'cloud' | 'clock'>

/** Secrets that a function rotates: the stack's output with the ARN of each, and the function. */
const rotated = {
  'project secret': { output: 'ProjectSecretArn', rotator: 'RotateProjectSecret' },
  'upload key': { output: 'UploadKeySecretArn', rotator: 'RotateUploadKey' },
} as const
export type RotatedCredential = keyof typeof rotated

/** Seconds between polls of a rotation, and their number: more than its retries and two follow-ups take. */
const POLL = 30
const POLLS = 300

const secretsOf = ({ cloud, clock }: Deployed) => {
  const client = new SecretsManagerClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  return client
}

/** Rotates a secret as `showrunner rotate … --wait` does. Starts it again if it ends without a new version. */
export async function rotateAndWait(of: RotatedCredential, deployed: Deployed): Promise<void> {
  const { cloud, clock } = deployed
  const [client, SecretId] = [secretsOf(deployed), cloud.outputs[rotated[of].output]]
  const labels = async () => {
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }))
    const versionAt = (label: string) =>
      Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(label))?.[0]
    return { current: versionAt('AWSCURRENT'), pending: versionAt('AWSPENDING') }
  }
  const { current: former } = await labels()
  for (let polls = 0; polls < POLLS; polls++) {
    const { current, pending } = await labels()
    if (current !== former) return
    if (pending === undefined || pending === current)
      await client.send(new RotateSecretCommand({ SecretId })).catch(() => {}) // the former one may not have ended
    await clock.sleep(POLL * 1000)
  }
}

/**
 * Tests a rotation as Secrets Manager does when it is deployed without an immediate rotation: on a pending copy of the value, which
 * it removes afterwards (Secrets Manager API reference, "RotateSecret", "RotateImmediately").
 * @returns the reason if the function fails
 */
export async function testRotation(of: RotatedCredential, deployed: Deployed, versionId: string): Promise<string> {
  const { cloud } = deployed
  const { output, rotator } = rotated[of]
  const [client, SecretId = ''] = [secretsOf(deployed), cloud.outputs[output]]
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
