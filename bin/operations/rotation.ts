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
import type { Clock } from '../../lib/clock.ts'
import { invokeFunction } from './invoke-function.ts'
import type { Outputs } from './outputs.ts'
import { isWithoutCredentials, NO_CREDENTIALS } from './stack-access.ts'

/**
 * What can be replaced: the output that names its secret, and the setting by which a deployment rotates it; without one
 * nobody else holds the value, and it is replaced at once.
 */
export const rotatable = {
  'upload-key': { output: 'UploadKeySecretArn', setting: 'rotation.uploadKeyDays' },
  'project-secret': { output: 'ProjectSecretArn', setting: 'rotation.projectSecretDays' },
  'watch-secret': { output: 'WatchSecretArn', setting: undefined },
  'callback-key': { output: 'CallbackKeySecretArn', setting: undefined },
} as const

export type Rotatable = keyof typeof rotatable

/** @throws Error when the outputs are of a deployment that does not name it */
export function secretOf(what: Rotatable, outputs: Outputs): string {
  const arn = outputs[rotatable[what].output]
  if (!arn)
    throw new Error(`The stack names no ${rotatable[what].output} in its outputs: deploy it again, or give --secret.`)
  return arn
}

/** Secrets Manager begins a rotation at once and goes through its steps by itself. */
export interface Rotation {
  /** Of the version that is to become the current one. */
  readonly versionId: string
  /** Resolves to whether it has become that within so many seconds. */
  finished(seconds: number, clock: Clock, signal: AbortSignal): Promise<boolean>
}

const BETWEEN_LOOKS_MS = 1_000

/**
 * @param config of the laptop's AWS; without an endpoint the SDK's usual chain finds credentials
 * @throws Error in one sentence when there is no such secret, nothing rotates it, or a rotation is under way
 */
export async function rotate(what: Rotatable, SecretId: string, config: SecretsManagerClientConfig): Promise<Rotation> {
  const manager = new SecretsManagerClient(config)
  const { VersionId: versionId = '' } = await manager.send(new RotateSecretCommand({ SecretId })).catch((error) => {
    manager.destroy()
    throw new Error(refusalOf(what, error), { cause: error })
  })
  return {
    versionId,
    async finished(seconds, clock, signal) {
      const until = clock.now() + seconds * 1000
      try {
        for (;;) {
          const { VersionIdsToStages = {} } = await manager.send(new DescribeSecretCommand({ SecretId }))
          if (VersionIdsToStages[versionId]?.includes('AWSCURRENT')) return true
          if (clock.now() >= until) return false
          await clock.sleep(BETWEEN_LOOKS_MS, signal)
        }
      } finally {
        manager.destroy()
      }
    },
  }
}

/** Puts a random value in the place of a signing secret's, and returns its version. @throws Error in one sentence */
export async function replace(
  what: Rotatable,
  SecretId: string,
  config: SecretsManagerClientConfig,
): Promise<{ readonly versionId: string }> {
  const manager = new SecretsManagerClient(config)
  const SecretString = JSON.stringify({ secret: randomBytes(48).toString('base64url') })
  try {
    const { VersionId = '' } = await manager.send(new PutSecretValueCommand({ SecretId, SecretString }))
    return { versionId: VersionId }
  } catch (error) {
    throw new Error(refusalOf(what, error as Error), { cause: error })
  } finally {
    manager.destroy()
  }
}

/**
 * Replaces the upload key and keeps every former one from being used, without waiting for uploads: for a key that was stolen.
 * Room for the new key is made first.
 * @throws Error in one sentence when the rotation does not end within so many seconds; the former key is active then
 */
export async function revoke(
  SecretId: string,
  config: SFNClientConfig & SecretsManagerClientConfig,
  { seconds, clock, signal }: { readonly seconds: number; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<{ readonly versionId: string; readonly deactivated: readonly string[] }> {
  const rotator = await rotatorOf(SecretId, config)
  const client = new SFNClient(config)
  const deactivate = async () =>
    ((await invokeFunction(client, rotator, { Step: 'revoke' })) as { deactivated?: string[] }).deactivated ?? []
  try {
    const earlier = await deactivate()
    const { versionId, finished } = await rotate('upload-key', SecretId, config)
    if (!(await finished(seconds, clock, signal)))
      throw new Error(
        `The new key is not in use after ${seconds} s, so the former one is active still: see why in the log of RotateUploadKey, then revoke again.`,
      )
    return { versionId, deactivated: [...earlier, ...(await deactivate())] }
  } finally {
    client.destroy()
  }
}

async function rotatorOf(SecretId: string, config: SecretsManagerClientConfig): Promise<string> {
  const manager = new SecretsManagerClient(config)
  try {
    const { RotationLambdaARN } = await manager.send(new DescribeSecretCommand({ SecretId }))
    if (RotationLambdaARN) return RotationLambdaARN
  } catch (error) {
    throw new Error(refusalOf('upload-key', error as Error), { cause: error })
  } finally {
    manager.destroy()
  }
  throw new Error(
    `This deployment does not rotate its upload-key: set ${rotatable['upload-key'].setting} and deploy it again.`,
  )
}

function refusalOf(what: Rotatable, error: Error): string {
  if (error instanceof ResourceNotFoundException)
    return `There is no such secret: is it the ${what} of this deployment?`
  if (error instanceof InvalidRequestException && /No Lambda rotation function/.test(error.message))
    return `This deployment does not rotate its ${what}: set ${rotatable[what].setting} and deploy it again.`
  if (error instanceof InvalidRequestException && /previous rotation/i.test(error.message))
    return `A rotation of the ${what} is under way: it goes on by itself (docs/runbook.md says what it may wait for).`
  if (isWithoutCredentials(error)) return NO_CREDENTIALS
  return `Secrets Manager refuses to rotate the ${what}: ${error.message}`
}
