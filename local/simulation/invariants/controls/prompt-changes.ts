import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence } from '../evidence.ts'

/** Seconds of a request after which its changes are left to the next observations (docs/architecture.md). */
const WITHIN = 12
/** Status of an answer to a change that is not complete. */
const LATER = 202

/** Checks that the changes of a show are made at once while there is time: only what takes longer is left for later. */
export const promptChanges = ({ apiRequests }: Pick<Evidence, 'apiRequests'>): string[] =>
  apiRequests
    .filter((one) => one.method === 'PATCH' && one.status === LATER && !isRepeated(one, apiRequests))
    .filter(({ askedAt, answeredAt }) => answeredAt - askedAt < WITHIN * 1000)
    .map(
      ({ path, key, askedAt, answeredAt }) =>
        `the change ${key} of ${path} was left for later after ${(answeredAt - askedAt) / 1000} s`,
    )

/** Returns true for a request whose key was posted before, or is posted at the same time: it is answered as the first one. */
const isRepeated = (one: AnsweredRequest, all: readonly AnsweredRequest[]) =>
  all.some((other) => other !== one && other.path === one.path && other.key === one.key && other.askedAt <= one.askedAt)
