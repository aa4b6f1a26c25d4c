import { z } from 'zod'
import { MAX_KEYS, type UploadKey, uploadKey } from '../../lib/aws/access-keys.ts'
import { platformSecret } from '../../lib/operations/platform-project/project-client.ts'
import { noKeyYet } from '../../lib/operations/platform-project/project-secret.ts'
import { type Retirement, retireUploadKeys, revokeUploadKeys } from '../../lib/operations/upload-keys/key-retirement.ts'
import { awaitUploadRight } from '../../lib/operations/upload-keys/upload-probe.ts'
import { aimUploads } from '../../lib/operations/upload-keys/upload-target.ts'
import type { Services } from '../../lib/services.ts'
import { ServiceError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import type { Log } from '../middleware/log.ts'
import { doStep } from '../middleware/rotation.ts'
import { taskHandler } from '../middleware/task.ts'

export async function rotateUploadKey(
  event: TaskInput<'rotateUploadKey'>,
  services: Services,
  log: Pick<Log, 'info'>,
): Promise<TaskOutput<'rotateUploadKey'>> {
  const { uploadKeyRotation: rotation } = services
  if (event.Step === 'revoke') return done(await revokeUploadKeys(services))
  if (event.Step === 'followUp') {
    // A key that is made just now is in no version yet.
    if (await rotation.pendingVersion()) return { outcome: 'nothing to do' }
    return done(await retireUploadKeys(services))
  }
  const outcome = await doStep(event, rotation, {
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
 * Returns whether there is a project to upload for. A deployment that makes the schedule has Secrets Manager try `testSecret`,
 * and the first one does so before the project's secret has a value.
 */
async function isProjectKnown({ secrets, variable }: Services): Promise<boolean> {
  const held = z.union([platformSecret, noKeyYet])
  return (await secrets.read(variable('PLATFORM_SECRET'), held, { fresh: true })) !== null
}

const done = (retirement: Retirement): TaskOutput<'rotateUploadKey'> => ({
  outcome: Object.values(retirement).some((ids) => ids.length > 0) ? 'done' : 'nothing to do',
  ...retirement,
})

/** Makes a key, and makes it pending only once it works: from then on every show that starts uploads with it. */
async function createKey(services: Services, versionId: string): Promise<void> {
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
  { accessKeys, uploadKeyRotation: rotation }: Services,
  versionId: string,
  { accessKeyId }: UploadKey,
): Promise<void> {
  const stored = await rotation.read(versionId, uploadKey)
  if (stored?.accessKeyId !== accessKeyId) await accessKeys.delete(accessKeyId)
}

/** Retires what the last rotation has left, in both of its steps. */
async function makeRoom(services: Services): Promise<void> {
  const isFull = async () => (await services.accessKeys.list()).length >= MAX_KEYS
  while (await isFull()) {
    const { deactivated, deleted, kept } = await retireUploadKeys(services)
    if (deactivated.length + deleted.length > 0) continue
    throw new ServiceError(
      `There is no room for another upload key while the former one (${kept.join()}) is kept: an archive of the project is started, paused or stopped. The rotation is tried again; \`rotate upload-key --revoke\` does not wait.`,
    )
  }
}

export const handler = taskHandler('rotateUploadKey', rotateUploadKey)
