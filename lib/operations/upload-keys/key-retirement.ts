import { type ListedKey, uploadKey } from '../../aws/access-keys.ts'
import type { Services } from '../../services.ts'
import { aimUploads, isUploadUnderWay } from './upload-target.ts'

/** Ids of keys that were deactivated or deleted, and of those that are kept because an upload may be under way. */
export interface Retirement {
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
export async function retireUploadKeys(services: Retiring): Promise<Retirement> {
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

/**
 * Deactivates every key that is neither current nor pending at once, for a stolen key. An upload that uses one fails; the platform
 * then keeps the file, and the rescue fetches it.
 */
export async function revokeUploadKeys(services: Retiring & Pick<Services, 'uploadKeyRotation'>): Promise<Retirement> {
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
