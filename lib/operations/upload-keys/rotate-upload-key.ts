import { S3ServiceException } from '@aws-sdk/client-s3'
import { z } from 'zod'
import { type ListedKey, MAX_KEYS, type UploadKey, uploadKey } from '../../aws/access-keys.ts'
import type { Services, TaskRun } from '../../services.ts'
import { keys } from '../../show/state/keys.ts'
import { ServiceError, StorageError } from '../../tasks/errors.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import { platformSecret } from '../platform-project/project-client.ts'
import { noKeyYet } from '../platform-project/project-secret.ts'
import { doStep } from '../rotation-steps.ts'
import { aimUploads, isUploadUnderWay } from './upload-target.ts'

type Rotating = Pick<
  Services,
  'accessKeys' | 'platform' | 'project' | 'secrets' | 'storageAs' | 'uploadKeyRotation' | 'variable' | 'clock'
>

/** Runs one step of rotating the upload key, retires former keys, or revokes them. */
export const runUploadKeyStep: TaskRun<'rotateUploadKey', keyof Rotating> = async (services, event, log) => {
  const { uploadKeyRotation: rotation } = services
  if (event.Step === 'revoke') return done(await revokeUploadKeys(services))
  if (event.Step === 'followUp') {
    // A key that was created a moment ago is in no version yet.
    if (await rotation.pendingVersion()) return { outcome: 'nothing to do' }
    return done(await retireUploadKeys(services))
  }
  const outcome = await doStep(rotation, event, {
    createSecret: (versionId) => createKey(services, versionId),
    setSecret: async (versionId) => {
      await rotation.valueAt(versionId, uploadKey)
      await aimUploads(services)
    },
    testSecret: async (versionId) => {
      const key = await rotation.valueAt(versionId, uploadKey)
      if (await isProjectKnown(services)) await awaitUploadRight(services, key)
      else log.info('not tested: the project’s secret holds no key yet, so nothing can be uploaded')
    },
    finishSecret: (versionId) => rotation.promote(versionId, uploadKey),
  })
  return { outcome }
}

/**
 * Returns whether the project's secret holds a key. A deployment that makes the rotation schedule lets Secrets Manager try
 * `testSecret`, and the first deployment does so before the secret has a value.
 */
async function isProjectKnown({ secrets, variable }: Rotating): Promise<boolean> {
  const held = z.union([platformSecret, noKeyYet])
  return (await secrets.read(variable('PLATFORM_SECRET'), held, { fresh: true })) !== null
}

const done = (retirement: Retirement): TaskOutput<'rotateUploadKey'> => ({
  outcome: Object.values(retirement).some((ids) => ids.length > 0) ? 'done' : 'nothing to do',
  ...retirement,
})

/** Stores a new key as pending only once it works, because every show that starts from then on uploads with it. */
async function createKey(services: Rotating, versionId: string): Promise<void> {
  const { accessKeys, uploadKeyRotation: rotation } = services
  const stored = await rotation.read(versionId, uploadKey)
  if (stored) return abandonUnlessListed(services, versionId, stored)
  await makeRoom(services)
  const key = await accessKeys.create()
  try {
    await awaitUploadRight(services, key)
    await rotation.store(versionId, key)
  } catch (error) {
    await deleteUnlessStored(services, versionId, key)
    throw error
  }
}

/**
 * An earlier attempt that did not learn that it had stored its key has deleted it. A version cannot be changed, so the rotation ends
 * and uploads return to the current key.
 * @throws {@link ServiceError} when IAM does not list the key
 */
async function abandonUnlessListed(services: Rotating, versionId: string, { accessKeyId }: UploadKey): Promise<void> {
  const listed = await services.accessKeys.list()
  if (listed.some((one) => one.accessKeyId === accessKeyId)) return
  await services.uploadKeyRotation.abandon(versionId)
  await aimUploads(services)
  throw new ServiceError(
    `The pending key ${accessKeyId} does not exist, so the rotation has ended and uploads use the current key. Start another rotation.`,
  )
}

async function deleteUnlessStored(
  { accessKeys, uploadKeyRotation: rotation }: Rotating,
  versionId: string,
  { accessKeyId }: UploadKey,
): Promise<void> {
  const stored = await rotation.read(versionId, uploadKey)
  if (stored?.accessKeyId !== accessKeyId) await accessKeys.delete(accessKeyId)
}

/** Retires the former keys, which takes two steps. IAM allows two keys for a user. */
async function makeRoom(services: Rotating): Promise<void> {
  const isFull = async () => (await services.accessKeys.list()).length >= MAX_KEYS
  while (await isFull()) {
    const { deactivated, deleted, kept } = await retireUploadKeys(services)
    if (deactivated.length + deleted.length > 0) continue
    throw new ServiceError(
      `There is no room for another upload key while the former one (${kept.join()}) may be in use by an archive that is not uploaded. The rotation is retried; \`rotate upload-key --revoke\` does not wait.`,
    )
  }
}

/** Seconds between attempts: a minute in all, because changes of IAM take seconds or longer to propagate. */
const PAUSES = [1, 2, 4, 8, 15, 15, 15] as const

/**
 * Waits until a key can write an object where the platform writes archives.
 * @throws {@link ServiceError} when the bucket still refuses it after a minute
 * @throws {@link StorageError} when the bucket fails otherwise
 */
async function awaitUploadRight(
  { storageAs, project, clock }: Pick<Services, 'storageAs' | 'project' | 'clock'>,
  key: UploadKey,
): Promise<void> {
  const storage = storageAs(key)
  const probe = keys.uploadProbe(await project.apiKey())
  for (const seconds of [0, ...PAUSES]) {
    if (seconds > 0) await clock.sleep(seconds * 1000)
    try {
      return await storage.put(probe, '', 'text/plain')
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  throw new ServiceError(
    `The bucket refuses uploads with the new key ${key.accessKeyId}: check the policy of the upload user.`,
  )
}

const isRefusal = (error: unknown) =>
  error instanceof StorageError &&
  error.cause instanceof S3ServiceException &&
  error.cause.$metadata.httpStatusCode === 403

/** Ids of keys that were deactivated or deleted, and of those that are kept because an upload may be under way. */
interface Retirement {
  readonly deactivated: string[]
  readonly deleted: string[]
  readonly kept: string[]
}

type Retiring = Pick<Services, 'accessKeys' | 'platform' | 'secrets' | 'variable'>

/**
 * Retires the keys of the upload user that are neither current nor pending by one step: active ones are deactivated, inactive ones
 * deleted. While an archive of the project is started, paused or stopped, its upload may use any former key, so active keys
 * are kept.
 */
async function retireUploadKeys(services: Retiring): Promise<Retirement> {
  const { accessKeys } = services
  const old = await formerKeys(services)
  if (old.length === 0) return { deactivated: [], deleted: [], kept: [] }
  await aimUploads(services) // first, so that new uploads use a key that stays
  const [active, inactive] = [old.filter(({ isActive }) => isActive), old.filter(({ isActive }) => !isActive)]
  for (const { accessKeyId } of inactive) await accessKeys.delete(accessKeyId)
  if (active.length > 0 && (await isUploadUnderWay(services)))
    return { deactivated: [], deleted: idsOf(inactive), kept: idsOf(active) }
  for (const { accessKeyId } of active) await accessKeys.deactivate(accessKeyId)
  return { deactivated: idsOf(active), deleted: idsOf(inactive), kept: [] }
}

/** Deactivates every key but the current and pending one, for a stolen key. The rescue fetches files that then fail. */
async function revokeUploadKeys(services: Retiring & Pick<Services, 'uploadKeyRotation'>): Promise<Retirement> {
  const { accessKeys, uploadKeyRotation } = services
  const former = (await formerKeys(services)).filter(({ isActive }) => isActive)
  // During a rotation, a new key may be in no version yet.
  const isOld = (await uploadKeyRotation.pendingVersion()) ? await olderThanCurrent(services) : () => true
  const revoked = former.filter(isOld)
  for (const { accessKeyId } of revoked) await accessKeys.deactivate(accessKeyId)
  await aimUploads(services) // last: an unavailable platform must not keep a stolen key active
  return { deactivated: idsOf(revoked), deleted: [], kept: [] }
}

const idsOf = (keys: readonly ListedKey[]) => keys.map(({ accessKeyId }) => accessKeyId)

async function formerKeys(services: Retiring): Promise<ListedKey[]> {
  const inUse = await keysInUse(services)
  return (await services.accessKeys.list()).filter(({ accessKeyId }) => !inUse.includes(accessKeyId))
}

async function olderThanCurrent({ accessKeys, secrets, variable }: Retiring) {
  const current = await secrets.read(variable('UPLOAD_SECRET'), uploadKey, { fresh: true })
  const listed = (await accessKeys.list()).find(({ accessKeyId }) => accessKeyId === current.accessKeyId)
  return ({ createdAt }: ListedKey) => listed !== undefined && createdAt < listed.createdAt
}

async function keysInUse({ secrets, variable }: Retiring): Promise<string[]> {
  const id = variable('UPLOAD_SECRET')
  const current = await secrets.read(id, uploadKey, { fresh: true })
  const pending = await secrets.readPending(id, uploadKey)
  return [current.accessKeyId, ...(pending ? [pending.accessKeyId] : [])]
}
