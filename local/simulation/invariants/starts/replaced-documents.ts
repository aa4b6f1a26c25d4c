import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'

/** Milliseconds before a start in which it may be under way already. */
const STARTING = 90_000

type Seen = Pick<Evidence, 'shows' | 'apiRequests'>

/**
 * Checks that a scheduled show starts with the document that replaced the posted one, and that it can be replaced until then. Of
 * two replacements at once, either may be the last.
 */
export const replacedDocuments = ({ shows, apiRequests }: Seen): string[] =>
  shows.flatMap((show) => {
    const scheduleId = show.request?.scheduleId ?? show.showId
    const requests = apiRequests.filter(({ method, path }) => method === 'PUT' && path === `/shows/${scheduleId}`)
    if (requests.length === 0 || requests.some(({ status = 500 }) => status >= 500)) return []
    const name = `the show ${show.showId.slice(0, 12)}`
    return [...otherDocument(show, requests), ...refusedEarly(show, requests)].map((what) => `${name} ${what}`)
  })

function otherDocument({ startedAt, request }: ShowEvidence, requests: readonly AnsweredRequest[]): string[] {
  const done = requests.filter(({ status }) => status === 200)
  const before = done.filter(({ answeredAt }) => answeredAt < startedAt)
  const after = done.filter(({ askedAt }) => askedAt > startedAt)
  const lastAskedAt = Math.max(...before.map(({ askedAt }) => askedAt))
  const last = before.filter(({ answeredAt }) => answeredAt >= lastAskedAt)
  const has = ({ body }: AnsweredRequest) => describe(JSON.parse(body)) === describe(request?.show)
  return [
    ...(last.length === 0 || last.some(has) ? [] : ['starts with another document than the last one']),
    ...(after.some(has) && !last.some(has) ? ['has a document of later starts'] : []),
  ]
}

const describe = ({ name, duration, recordings = [] }: Partial<ShowDocument> = {}) =>
  JSON.stringify([name, duration, recordings.map((one) => one.name)])

const refusedEarly = ({ startedAt }: ShowEvidence, requests: readonly AnsweredRequest[]) =>
  requests
    .filter(({ status, answeredAt }) => status === 409 && answeredAt < startedAt - STARTING)
    .map(({ askedAt }) => `could not be replaced at ${new Date(askedAt).toISOString()}, before its start`)
