import { createHash } from 'node:crypto'
import { accepts, readProjects } from '../environment/platform/account-requests.ts'
import { readStoredSecret } from '../environment/stored-secret.ts'
import { isRotating } from './rotations.ts'
import type { StackParts } from './stack-parts.ts'

/** An access key of the upload user. */
export interface AccessKey {
  readonly accessKeyId: string
  readonly isActive: boolean
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** The credentials of a stack, as a deployer sees them. Secrets are hashed. */
export interface StackState {
  /** The projects of the account. */
  readonly projects: readonly {
    readonly id: string
    readonly name: string
    readonly status: string
    readonly secretSha256: string
  }[]
  readonly projectSecret: {
    readonly versionId: string
    /** Undefined while the secret holds no key. */
    readonly apiKey?: string
    /** True if it holds nothing: `{}`. */
    readonly isEmpty: boolean
    /** True if the platform accepts the key with its secret. */
    readonly isAccepted: boolean
  }
  readonly uploadKey: {
    readonly accessKeyId: string
    /** True if the bucket accepts the key. */
    readonly isAccepted: boolean
  }
  /** True while a rotation has begun and not ended. */
  readonly isKeyRotating: boolean
  readonly isSecretRotating: boolean
  /** True while an archive is not uploaded, so that its upload may use any key. */
  readonly isUploadUnderWay: boolean
  /** True until the stack has deleted the policy of the upload user. */
  readonly hasPolicy: boolean
  /** The access keys of the upload user. */
  readonly accessKeys: readonly AccessKey[]
}

/** Observes the credentials without the network of the simulation, so that no fault strikes. */
export async function readStackState(parts: StackParts): Promise<StackState> {
  const { platform, observer, clock } = parts
  const [project, upload] = [
    await readStoredSecret(parts, 'ProjectSecretArn'),
    await readStoredSecret(parts, 'UploadKeySecretArn'),
  ]
  const { apiKey, apiSecret = '' } = project.value
  const { accessKeyId = '', secretAccessKey = '' } = upload.value
  const storage = observer.storageAs({ accessKeyId, secretAccessKey })
  return {
    projects: (await readProjects(platform, clock.now()))
      .map(({ id, name, status, secret }) => ({ id, name, status, secretSha256: sha256(secret) }))
      .toSorted((one, other) => Number(one.id) - Number(other.id)),
    projectSecret: {
      versionId: project.versionId,
      ...(apiKey !== undefined && { apiKey }),
      isEmpty: Object.keys(project.value).length === 0,
      isAccepted: apiKey !== undefined && (await accepts(platform, { apiKey, apiSecret }, clock.now())),
    },
    uploadKey: {
      accessKeyId,
      isAccepted: await storage.list('none/', { limit: 1 }).then(
        () => true,
        () => false,
      ),
    },
    isKeyRotating: await isRotating('upload key', parts),
    isSecretRotating: await isRotating('project secret', parts),
    isUploadUnderWay: isUploadUnderWay(parts.resources.changes),
    hasPolicy: !parts.userPolicies.areDeleted,
    accessKeys: await observer.accessKeys.list(),
  }
}

const UNDER_WAY: ReadonlySet<string> = new Set(['started', 'paused', 'stopped'])

function isUploadUnderWay(changes: StackParts['resources']['changes']): boolean {
  const latest = new Map(changes.filter(({ kind }) => kind === 'archive').map(({ id, status }) => [id, status]))
  return [...latest.values()].some((status) => UNDER_WAY.has(status))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
