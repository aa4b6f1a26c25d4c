import type { Services } from '../../lib/services.ts'
import { customResourceHandler } from '../middleware/custom-resource.ts'

/**
 * The same for every deployment, because the resource makes nothing. CloudFormation generates another one for a creation that it
 * received no answer to, and requires the same one in all answers.
 */
const PHYSICAL_ID = 'upload-keys'
/** Seconds between polls: half a minute in all, because IAM may list deleted policies for some seconds. */
const POLL_PAUSES = [1, 2, 4, 8, 15] as const

async function mayUpload({ accessKeys, clock }: Pick<Services, 'accessKeys' | 'clock'>): Promise<boolean> {
  for (const seconds of [0, ...POLL_PAUSES]) {
    if (seconds > 0) await clock.sleep(seconds * 1000)
    if (!(await accessKeys.hasPolicy())) return false
  }
  return true
}

/**
 * Deletes the keys that rotations made. CloudFormation does not know them and cannot delete the user before they are gone. The
 * stack deletes the user's policy first: if the policy exists, only an update is rolled back, and the keys stay.
 */
export const handler = customResourceHandler(
  'deleteUploadKeys',
  async (services, { RequestType, PhysicalResourceId: physicalId = PHYSICAL_ID }, log) => {
    const done = { physicalId }
    if (RequestType !== 'Delete') return done
    const { accessKeys } = services
    if (await mayUpload(services)) log.warn('kept: the upload user still has its policy, so the stack stays')
    else for (const { accessKeyId } of await accessKeys.list()) await accessKeys.delete(accessKeyId)
    return done
  },
  PHYSICAL_ID,
)
