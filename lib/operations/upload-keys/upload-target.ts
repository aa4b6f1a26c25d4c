import { type UploadKey, uploadKey } from '../../aws/access-keys.ts'
import { limits } from '../../platform/contract/limits.ts'
import type { Services } from '../../services.ts'
import { isUnderWay } from '../../show/run/finish/recording-outcomes.ts'
import { ServiceError } from '../../tasks/errors.ts'

/** Attempts to set the target, if the key is replaced meanwhile. Only one rotation can be under way. */
const MAX_ATTEMPTS = 5

/** Returns the key pair for uploads: the pending one during a rotation. */
async function keyForUploads({ secrets, variable }: Pick<Services, 'secrets' | 'variable'>): Promise<UploadKey> {
  const id = variable('UPLOAD_SECRET')
  return (await secrets.readPending(id, uploadKey)) ?? (await secrets.read(id, uploadKey, { fresh: true }))
}

/**
 * Sets the upload target of the platform project to the bucket, with the fallback that keeps files. It is the only writer of the
 * target. It reads the key again afterwards, so that a show and a rotation at the same time do not leave the former key.
 */
export async function aimUploads(services: Pick<Services, 'platform' | 'secrets' | 'variable'>): Promise<void> {
  const { variable } = services
  const [platform, endpoint] = [await services.platform(), variable('UPLOAD_ENDPOINT')]
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { accessKeyId, secretAccessKey } = await keyForUploads(services)
    const config = {
      accessKey: accessKeyId,
      secretKey: secretAccessKey,
      bucket: variable('BUCKET'),
      ...(endpoint !== 'aws' && { endpoint }),
    }
    await platform.setUploadTarget({ type: 's3', config, fallback: 'opentok' })
    if ((await keyForUploads(services)).accessKeyId === accessKeyId) return
  }
  throw new ServiceError('The upload key was replaced repeatedly while the upload target was set: the call is retried.')
}

/** Returns whether any archive of the project, also of other callers, may still have to be uploaded. */
export async function isUploadUnderWay({ platform }: Pick<Services, 'platform'>): Promise<boolean> {
  const client = await platform()
  for await (const archive of client.each.listArchives({ count: limits.listCountMax.value }))
    if (isUnderWay(archive)) return true
  return false
}
