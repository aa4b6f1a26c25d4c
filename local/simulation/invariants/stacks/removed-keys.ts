import { isDeepStrictEqual } from 'node:util'
import type { Evidence } from '../evidence.ts'
import { requestsIn } from './requests-in.ts'

/**
 * Checks that the removal of a stack leaves its upload user without keys, since IAM would not delete the user. While the user has
 * its policy, only an update is rolled back, and the keys stay.
 */
export const removedKeys = ({ stackSteps }: Pick<Evidence, 'stackSteps'>): string[] =>
  requestsIn(stackSteps).flatMap(({ request, before, after, answer, words }) => {
    const isRemoval = request.resource === 'UploadKeys' && request.type === 'Delete' && !before.hasPolicy
    if (!isRemoval)
      return isDeepStrictEqual(before.accessKeys, after.accessKeys) ? [] : [`${words} changed the upload keys`]
    const left = after.accessKeys.length
    return answer?.Status === 'SUCCESS' && left > 0 ? [`${words} left ${left} upload keys`] : []
  })
