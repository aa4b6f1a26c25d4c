import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import type { z } from 'zod'
import { ServiceError, TaskInputError } from '../tasks/errors.ts'
import { parseSecret } from './secrets.ts'

const CURRENT = 'AWSCURRENT'
const PENDING = 'AWSPENDING'

/** How far a version of the secret has come on its way to be the one in use. */
export type Standing = 'unknown' | 'pending' | 'current' | 'past'

/**
 * The versions of one secret, as a rotation moves them on. All of it can be repeated. Every method throws ServiceError when
 * Secrets Manager does not answer as it should.
 */
export interface Rotation {
  readonly secretId: string
  /** The version that a rotation under way is to put in use; it may be empty still. */
  pendingVersion(): Promise<string | undefined>
  standingOf(versionId: string): Promise<Standing>
  /** Undefined while the version has no value. @throws TaskConfigError when the value is not of this shape */
  read<Schema extends z.ZodType>(versionId: string, shape: Schema): Promise<z.output<Schema> | undefined>
  /** As `read`. @throws TaskInputError when the version has no value yet */
  valueAt<Schema extends z.ZodType>(versionId: string, shape: Schema): Promise<z.output<Schema>>
  /** Gives the pending version its value; a version has one value for ever. */
  store(versionId: string, value: object): Promise<void>
  /** Puts a value in use at once, without a rotation. */
  replace(value: object): Promise<void>
  /** Puts a version in use. @throws TaskInputError when it has no value yet: nothing could be read from then on */
  promote(versionId: string, shape: z.ZodType): Promise<void>
}

export function createRotation(manager: SecretsManagerClient, secretId: string): Rotation {
  const secret = { SecretId: secretId }
  const stages = async () =>
    Object.entries((await manager.send(new DescribeSecretCommand(secret))).VersionIdsToStages ?? {})
  const versionAt = (stage: string, versions: [string, string[]][]) =>
    versions.find(([, labels]) => labels.includes(stage))?.[0]
  const attempt = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (cause) {
      const { name, message } = cause as Error
      throw new ServiceError(`Secrets Manager failed while ${what} ${secretId} (${name}: ${message}).`, { cause })
    }
  }
  const read: Rotation['read'] = async (versionId, shape) => {
    const text = await attempt('reading', async () => {
      try {
        return (await manager.send(new GetSecretValueCommand({ ...secret, VersionId: versionId }))).SecretString
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined
        throw error
      }
    })
    return text === undefined ? undefined : parseSecret(secretId, shape, text)
  }
  const valueAt: Rotation['valueAt'] = async (versionId, shape) => {
    const value = await read(versionId, shape)
    if (value !== undefined) return value
    throw new TaskInputError(`The version ${versionId} of ${secretId} has no value yet: createSecret comes first.`)
  }

  return {
    secretId,
    pendingVersion: () =>
      attempt('describing', async () => {
        const versions = await stages()
        const pending = versionAt(PENDING, versions)
        return pending === versionAt(CURRENT, versions) ? undefined : pending
      }),
    standingOf: (versionId) =>
      attempt('describing', async () => {
        const labels = (await stages()).find(([id]) => id === versionId)?.[1]
        if (!labels) return 'unknown'
        if (labels.includes(CURRENT)) return 'current'
        return labels.includes(PENDING) ? 'pending' : 'past'
      }),
    read,
    valueAt,
    store: (versionId, value) =>
      attempt('writing', async () => {
        const content = { SecretString: JSON.stringify(value), ClientRequestToken: versionId, VersionStages: [PENDING] }
        await manager.send(new PutSecretValueCommand({ ...secret, ...content }))
      }),
    replace: (value) =>
      attempt('writing', async () => {
        await manager.send(new PutSecretValueCommand({ ...secret, SecretString: JSON.stringify(value) }))
      }),
    async promote(versionId, shape) {
      await valueAt(versionId, shape)
      await attempt('promoting a version of', async () => {
        const current = versionAt(CURRENT, await stages())
        if (current === versionId) return
        // Secrets Manager takes the pending label off in the same call; taking it off in another one would look like a failure.
        const from = current && { RemoveFromVersionId: current }
        const move = { VersionStage: CURRENT, MoveToVersionId: versionId, ...from }
        await manager.send(new UpdateSecretVersionStageCommand({ ...secret, ...move }))
      })
    },
  }
}
