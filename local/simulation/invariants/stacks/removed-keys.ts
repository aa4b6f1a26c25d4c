import { isDeepStrictEqual } from 'node:util'
import type { Evidence } from '../evidence.ts'
import { requestsIn } from './requests-in.ts'

type Seen = Pick<Evidence, 'stackSteps' | 'trace' | 'removalTrace'>

/**
 * Checks that the removal of a stack leaves its upload user without keys, since IAM would not delete the user. While the user has
 * its policy, only an update is rolled back, and the keys stay. A rotation may change them during a request that takes long.
 */
export function removedKeys({ stackSteps, trace, removalTrace }: Seen): string[] {
  const rotations = [...trace, ...removalTrace].filter(({ line }) => line.includes(' RotateUploadKey -> '))
  return requestsIn(stackSteps).flatMap(({ request, from, to, before, after, answer, words }) => {
    const isRemoval = request.resource === 'UploadKeys' && request.type === 'Delete' && !before.hasPolicy
    const isRotated = to > from && rotations.some(({ at }) => at >= from && at <= to)
    if (!isRemoval)
      return isDeepStrictEqual(before.accessKeys, after.accessKeys) || isRotated
        ? []
        : [`${words} changed the upload keys`]
    const left = after.accessKeys.length
    return answer?.Status === 'SUCCESS' && left > 0 ? [`${words} left ${left} upload keys`] : []
  })
}
