import { randomBytes } from 'node:crypto'
import {
  DescribeSecretCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceNotFoundException,
  RotateSecretCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager'
import { SFNClient, type SFNClientConfig } from '@aws-sdk/client-sfn'
import { realClock } from '../../lib/clock.ts'
import { disposable } from '../local/aws-access.ts'
import { invokeFunction } from './invoke-function.ts'
import type { Outputs } from './outputs.ts'
import { isWithoutCredentials, NO_CREDENTIALS } from './stack-access.ts'

/**
 * Secrets that can be replaced: the output with its ARN, and the setting that enables its rotation. A secret without a setting
 * has no other holder and is replaced at once.
 */
export const rotatable = {
  'upload-key': { output: 'UploadKeySecretArn', setting: 'rotation.uploadKeyDays' },
  'project-secret': { output: 'ProjectSecretArn', setting: 'rotation.projectSecretDays' },
  'watch-secret': { output: 'WatchSecretArn', setting: undefined },
  'callback-key': { output: 'CallbackKeySecretArn', setting: undefined },
} as const

export type Rotatable = keyof typeof rotatable

/** Returns the ARN of a secret. @throws Error when the outputs do not contain it */
export function secretOf(what: Rotatable, outputs: Outputs): string {
  const arn = outputs[rotatable[what].output]
  if (!arn)
    throw new Error(`The outputs of the stack have no ${rotatable[what].output}. Deploy it again, or pass --secret.`)
  return arn
}

/** A rotation that Secrets Manager has started. Its steps run automatically. */
export interface StartedRotation {
  /** Id of the version that becomes the current one. */
  readonly versionId: string
  /** Polls until the version is current. Resolves to false if that takes longer than `seconds`. */
  finished(seconds: number, signal: AbortSignal): Promise<boolean>
}

const POLL_INTERVAL_MS = 1_000

/**
 * Starts the rotation of a secret.
 * @param config configuration for the local AWS; without an endpoint the SDK finds credentials in its usual chain
 * @throws Error when there is no such secret, nothing rotates it, or a rotation is in progress
 */
export async function rotate(
  what: Rotatable,
  SecretId: string,
  config: SecretsManagerClientConfig,
): Promise<StartedRotation> {
  const { VersionId: versionId = '' } = await ask(what, config, (manager) =>
    manager.send(new RotateSecretCommand({ SecretId })),
  )
  return {
    versionId,
    async finished(seconds, signal) {
      using manager = disposable(new SecretsManagerClient(config))
      const until = realClock.now() + seconds * 1000
      for (;;) {
        const { VersionIdsToStages = {} } = await manager.send(new DescribeSecretCommand({ SecretId }))
        if (VersionIdsToStages[versionId]?.includes('AWSCURRENT')) return true
        if (realClock.now() >= until) return false
        await realClock.sleep(POLL_INTERVAL_MS, signal)
      }
    },
  }
}

/** Replaces a signing secret with a random value. @throws Error when Secrets Manager refuses */
export async function replace(
  what: Rotatable,
  SecretId: string,
  config: SecretsManagerClientConfig,
): Promise<{ readonly versionId: string }> {
  const SecretString = JSON.stringify({ secret: randomBytes(48).toString('base64url') })
  const { VersionId = '' } = await ask(what, config, (manager) =>
    manager.send(new PutSecretValueCommand({ SecretId, SecretString })),
  )
  return { versionId: VersionId }
}

/**
 * Replaces the upload key and deactivates every former one, without waiting for uploads. Use it for a key that was stolen. The
 * first deactivation makes room for the new key.
 * @throws Error when the rotation takes longer than `seconds`; the former key then stays active
 */
export async function revoke(
  SecretId: string,
  config: SFNClientConfig & SecretsManagerClientConfig,
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<{ readonly versionId: string; readonly deactivated: readonly string[] }> {
  const { RotationLambdaARN } = await ask('upload-key', config, (manager) =>
    manager.send(new DescribeSecretCommand({ SecretId })),
  )
  if (!RotationLambdaARN) throw new Error(notRotated('upload-key'))
  using client = disposable(new SFNClient(config))
  const deactivate = async () =>
    ((await invokeFunction(client, RotationLambdaARN, { Step: 'revoke' })) as { deactivated?: string[] }).deactivated ??
    []
  const earlier = await deactivate()
  const { versionId, finished } = await rotate('upload-key', SecretId, config)
  if (!(await finished(seconds, signal)))
    throw new Error(
      `The new key is not in use after ${seconds} s, so the former one is still active. Find the reason in the log of RotateUploadKey, then revoke again.`,
    )
  return { versionId, deactivated: [...earlier, ...(await deactivate())] }
}

/** Sends a command to Secrets Manager. @throws Error with what to do when it refuses */
async function ask<Answer>(
  what: Rotatable,
  config: SecretsManagerClientConfig,
  send: (manager: SecretsManagerClient) => Promise<Answer>,
): Promise<Answer> {
  using manager = disposable(new SecretsManagerClient(config))
  return await send(manager).catch((error) => {
    throw new Error(messageFor(what, error), { cause: error })
  })
}

const notRotated = (what: Rotatable) =>
  `This deployment does not rotate its ${what}. Set ${rotatable[what].setting} and deploy it again.`

function messageFor(what: Rotatable, error: Error): string {
  if (error instanceof ResourceNotFoundException)
    return `There is no such secret. Check that it is the ${what} of this deployment.`
  if (error instanceof InvalidRequestException && /No Lambda rotation function/.test(error.message))
    return notRotated(what)
  if (error instanceof InvalidRequestException && /previous rotation/i.test(error.message))
    return `A rotation of the ${what} is in progress and continues automatically. docs/runbook.md lists what it may wait for.`
  if (isWithoutCredentials(error)) return NO_CREDENTIALS
  return `Secrets Manager refused to rotate the ${what}: ${error.message}`
}
