import { uploadKey } from './access-keys.ts'
import type { Services } from './services.ts'
import { aimUploads, isUploadUnderWay } from './upload-target.ts'

/** Ids of keys that were retired a step further, and of those that are kept because an upload may be under way. */
export interface Retirement {
  readonly deactivated: string[]
  readonly deleted: string[]
  readonly kept: string[]
}

type Reach = Pick<Services, 'accessKeys' | 'platform' | 'secrets' | 'variable'>

/**
 * Retires the keys of the upload user that are neither current nor pending by one step: an active one is deactivated, an
 * inactive one deleted. Nothing is done while an archive of the project is started, paused or stopped, since its upload may
 * be under way with any key that ever was the target.
 */
export async function retireUploadKeys(services: Reach): Promise<Retirement> {
  const { accessKeys } = services
  const inUse = await keysInUse(services)
  const old = (await accessKeys.list()).filter(({ accessKeyId }) => !inUse.includes(accessKeyId))
  if (old.length === 0) return { deactivated: [], deleted: [], kept: [] }
  await aimUploads(services) // first, so that what begins from here on is uploaded with a key that stays
  const idsOf = (keys: typeof old) => keys.map(({ accessKeyId }) => accessKeyId)
  if (await isUploadUnderWay(services)) return { deactivated: [], deleted: [], kept: idsOf(old) }
  const [active, inactive] = [old.filter(({ isActive }) => isActive), old.filter(({ isActive }) => !isActive)]
  for (const { accessKeyId } of active) await accessKeys.deactivate(accessKeyId)
  for (const { accessKeyId } of inactive) await accessKeys.delete(accessKeyId)
  return { deactivated: idsOf(active), deleted: idsOf(inactive), kept: [] }
}

async function keysInUse({ secrets, variable }: Reach): Promise<string[]> {
  const id = variable('UPLOAD_SECRET')
  const current = await secrets.read(id, uploadKey, { fresh: true })
  const pending = await secrets.readPending(id, uploadKey)
  return [current.accessKeyId, ...(pending ? [pending.accessKeyId] : [])]
}
