import { type UploadKey, uploadKey } from '../../aws/access-keys.ts'
import { limits } from '../../platform/contract/limits.ts'
import type { Services } from '../../services.ts'
import { isUnderWay } from '../../show/run/finish/recording-outcomes.ts'
import { ServiceError } from '../../tasks/errors.ts'

/** How often the target is set again because the key was replaced meanwhile: more than one rotation cannot be under way. */
const MAX_ATTEMPTS = 5

/** The key pair that the platform has to upload with: the pending one while it is being rotated. */
async function keyForUploads({ secrets, variable }: Pick<Services, 'secrets' | 'variable'>): Promise<UploadKey> {
  const id = variable('UPLOAD_SECRET')
  return (await secrets.readPending(id, uploadKey)) ?? (await secrets.read(id, uploadKey, { fresh: true }))
}

/**
 * Points the platform project's upload at the bucket, with the fallback that keeps files. The only writer of the target: it
 * looks again afterwards, so that of a show and a rotation that set it at the same time neither leaves the former key behind.
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
  throw new ServiceError('The upload key was replaced again and again while the upload target was set.')
}

/** Whether an archive of the project, whoever started it, may still have to be uploaded. */
export async function isUploadUnderWay({ platform }: Pick<Services, 'platform'>): Promise<boolean> {
  const client = await platform()
  for await (const archive of client.each.listArchives({ count: limits.listCountMax.value }))
    if (isUnderWay(archive)) return true
  return false
}
