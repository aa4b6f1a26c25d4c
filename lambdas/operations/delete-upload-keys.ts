import type { Services } from '../../lib/services.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { type CarriedOut, customResourceHandler } from '../middleware/custom-resource.ts'
import type { Log } from '../middleware/log.ts'

/** The same for every deployment: nothing is made. */
const PHYSICAL_ID = 'upload-keys'
/** Seconds between observations: half a minute in all, since what IAM has deleted may be listed for some seconds. */
const LATER_OBSERVATIONS = [1, 2, 4, 8, 15] as const

/**
 * Deletes the keys that rotations have made, which CloudFormation does not know and which keep it from deleting the user. A
 * stack deletes the user's policy before. A policy that is there means that only an update is rolled back, and the keys stay.
 */
export async function deleteUploadKeys(
  { RequestType }: TaskInput<'deleteUploadKeys'>,
  services: Services,
  log: Pick<Log, 'warn'>,
): Promise<CarriedOut> {
  const done = { physicalId: PHYSICAL_ID }
  if (RequestType !== 'Delete') return done
  const { accessKeys } = services
  if (await mayUpload(services)) log.warn('kept: the upload user still has its policy, so the stack stays')
  else for (const { accessKeyId } of await accessKeys.list()) await accessKeys.delete(accessKeyId)
  return done
}

async function mayUpload({ accessKeys, clock }: Services): Promise<boolean> {
  for (const seconds of [0, ...LATER_OBSERVATIONS]) {
    if (seconds > 0) await clock.sleep(seconds * 1000)
    if (!(await accessKeys.hasPolicy())) return false
  }
  return true
}

export const handler = customResourceHandler('deleteUploadKeys', deleteUploadKeys, PHYSICAL_ID)
