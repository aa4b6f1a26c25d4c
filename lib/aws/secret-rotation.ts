import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import type { z } from 'zod'
import { TaskInputError } from '../tasks/errors.ts'
import { parseSecret } from './secrets.ts'
import { attempt } from './service-errors.ts'

const CURRENT = 'AWSCURRENT'
const PENDING = 'AWSPENDING'

export type VersionStage = 'unknown' | 'pending' | 'current' | 'past'

export type Rotation = ReturnType<typeof createRotation>

/**
 * Accesses the versions of a secret in a rotation. Methods can be repeated, and throw {@link ServiceError}.
 * @param newId returns the id of a version that replaces the current one without a rotation, a UUID
 */
export function createRotation(manager: SecretsManagerClient, secretId: string, newId: () => string) {
  const secret = { SecretId: secretId }
  const failed = (doing: string) => `Secrets Manager failed while ${doing} ${secretId}`
  const stages = async () =>
    Object.entries((await manager.send(new DescribeSecretCommand(secret))).VersionIdsToStages ?? {})
  const versionAt = (stage: string, versions: [string, string[]][]) =>
    versions.find(([, labels]) => labels.includes(stage))?.[0]
  /** Reads a version; undefined while it has no value. @throws {@link TaskConfigError} when the value is malformed */
  async function read<Schema extends z.ZodType>(versionId: string, shape: Schema) {
    const text = await attempt(failed('reading'), async () => {
      try {
        return (await manager.send(new GetSecretValueCommand({ ...secret, VersionId: versionId }))).SecretString
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined
        throw error
      }
    })
    return text === undefined ? undefined : parseSecret(secretId, shape, text)
  }
  /** Reads a version that must have a value. @throws {@link TaskInputError} when it has none yet */
  async function valueAt<Schema extends z.ZodType>(versionId: string, shape: Schema) {
    const value = await read(versionId, shape)
    if (value !== undefined) return value
    throw new TaskInputError(`The version ${versionId} of ${secretId} has no value yet: run createSecret first.`)
  }

  return {
    secretId,
    /** Returns the id of the version that a rotation under way will promote. The version may have no value yet. */
    pendingVersion: () =>
      attempt(failed('describing'), async () => {
        const versions = await stages()
        const pending = versionAt(PENDING, versions)
        return pending === versionAt(CURRENT, versions) ? undefined : pending
      }),
    stageOf: (versionId: string) =>
      attempt(failed('describing'), async (): Promise<VersionStage> => {
        const labels = (await stages()).find(([id]) => id === versionId)?.[1]
        if (!labels) return 'unknown'
        if (labels.includes(CURRENT)) return 'current'
        return labels.includes(PENDING) ? 'pending' : 'past'
      }),
    read,
    valueAt,
    /** Stores the value of the pending version, which cannot be changed later. */
    store: (versionId: string, value: object) =>
      attempt(failed('writing'), async () => {
        const content = { SecretString: JSON.stringify(value), ClientRequestToken: versionId, VersionStages: [PENDING] }
        await manager.send(new PutSecretValueCommand({ ...secret, ...content }))
      }),
    /** Ends a rotation without its version: the current one stays. */
    abandon: (versionId: string) =>
      attempt(failed('abandoning a version of'), async () => {
        const removal = { VersionStage: PENDING, RemoveFromVersionId: versionId }
        await manager.send(new UpdateSecretVersionStageCommand({ ...secret, ...removal }))
      }),
    replace: (value: object) =>
      attempt(failed('writing'), async () => {
        const content = { SecretString: JSON.stringify(value), ClientRequestToken: newId() }
        await manager.send(new PutSecretValueCommand({ ...secret, ...content }))
      }),
    /** Makes a version the current one. @throws {@link TaskInputError} when it has no value yet */
    async promote(versionId: string, shape: z.ZodType) {
      await valueAt(versionId, shape)
      await attempt(failed('promoting a version of'), async () => {
        const current = versionAt(CURRENT, await stages())
        if (current === versionId) return
        // The call also removes the pending label. A separate call would look like a failure.
        const from = current && { RemoveFromVersionId: current }
        const move = { VersionStage: CURRENT, MoveToVersionId: versionId, ...from }
        await manager.send(new UpdateSecretVersionStageCommand({ ...secret, ...move }))
      })
    },
  }
}
