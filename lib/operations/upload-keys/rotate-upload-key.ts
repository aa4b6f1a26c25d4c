import { z } from 'zod'
import { MAX_KEYS, type UploadKey, uploadKey } from '../../aws/access-keys.ts'
import type { Services } from '../../services.ts'
import { ServiceError } from '../../tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { platformSecret } from '../platform-project/project-client.ts'
import { noKeyYet } from '../platform-project/project-secret.ts'
import { doStep } from '../rotation-steps.ts'
import { type Retirement, retireUploadKeys, revokeUploadKeys } from './key-retirement.ts'
import { awaitUploadRight } from './upload-probe.ts'
import { aimUploads } from './upload-target.ts'

type Rotating = Pick<
  Services,
  'accessKeys' | 'platform' | 'project' | 'secrets' | 'storageAs' | 'uploadKeyRotation' | 'variable' | 'clock'
>

/** Runs one step of rotating the upload key, retires former keys, or revokes them. */
export async function runUploadKeyStep(
  services: Rotating,
  event: TaskInput<'rotateUploadKey'>,
  log: { info(message: string): void },
): Promise<TaskOutput<'rotateUploadKey'>> {
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
  if (await rotation.read(versionId, uploadKey)) return
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
