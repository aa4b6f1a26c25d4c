import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import { ORDERED } from '../../faults/fault-responses.ts'
import type { Evidence } from '../evidence.ts'

/** Statuses of answers after which a request is repeated. */
const NOT_YET = [202, 429]
/** The problem of a request whose first attempt is still being carried out. */
const IN_PROGRESS = 'control-in-progress'
/** Seconds before a failed answer in which a fault may have caused it. */
const CAUSE = 60

/**
 * Checks the answers of the API by docs/problems.md, for callers that repeat requests and send them at the same time: a key
 * has its effect once, and is refused for another body. A failure of the server needs a fault. A stop is final.
 */
export function apiAnswers({ apiRequests, shows, trace }: Pick<Evidence, 'apiRequests' | 'shows' | 'trace'>): string[] {
  const keys = Map.groupBy(apiRequests, ({ method, path, key }) => `${method} ${path} with the key ${key}`)
  return [
    ...[...keys].flatMap(([what, same]) => problemsOfKey(same).map((problem) => `${what} ${problem}`)),
    ...apiRequests.flatMap((request) => failures(request, trace)),
    ...apiRequests.flatMap((request) => unfinished(request, shows)),
    ...strangers(apiRequests, shows),
  ]
}

/** Finds shows that no answer names, although each key of a posted show was answered with another one. */
function strangers(requests: readonly AnsweredRequest[], shows: Evidence['shows']): string[] {
  const posts = Map.groupBy(
    requests.filter(({ method, path }) => method === 'POST' && path === '/shows'),
    ({ key }) => key,
  )
  const named = [...posts.values()].map((same) => new Set(same.flatMap(({ answer }) => idIn(answer) ?? [])))
  if (named.length === 0 || named.some(({ size }) => size === 0)) return []
  const known = new Set(named.flatMap((ids) => [...ids]))
  return [
    ...named.filter(({ size }) => size > 1).map((ids) => `one key was answered with ${ids.size} shows`),
    ...shows
      .filter(({ showId, request }) => !known.has(showId) && !known.has(request?.scheduleId ?? ''))
      .map(({ showId }) => `the show ${showId.slice(0, 12)} is named in no answer`),
  ]
}

function idIn(answer: string): string | undefined {
  try {
    const { showId } = JSON.parse(answer) as { readonly showId?: unknown }
    return typeof showId === 'string' ? showId : undefined // a corrupt answer may have another type
  } catch {
    return undefined // a corrupt answer
  }
}

function problemsOfKey(requests: readonly AnsweredRequest[]): string[] {
  const done = requests.filter(isDone)
  const bodies = new Set(done.map(({ body }) => body))
  const statuses = new Set(done.map(({ status }) => status))
  const first = Math.min(...done.map(({ answeredAt }) => answeredAt))
  const refused = requests.filter(
    ({ askedAt, status = 0, body, answer }) =>
      askedAt > first && bodies.has(body) && status >= 400 && status < 429 && !isNoRefusal(answer),
  )
  return [
    ...(bodies.size > 1 ? [`was accepted for ${bodies.size} bodies`] : []),
    ...(statuses.size > 1 ? [`was answered ${[...statuses].join(' and ')}`] : []),
    ...refused.map(({ status }) => `was refused with ${status} after it had been accepted`),
  ]
}

const isNoRefusal = (answer: string) => answer.includes(IN_PROGRESS) || answer.includes(ORDERED)

const isDone = ({ status = 0 }: AnsweredRequest) => status >= 200 && status < 300 && !NOT_YET.includes(status)

function failures({ method, path, status = 0, askedAt, answeredAt }: AnsweredRequest, trace: Evidence['trace']) {
  if (status < 500) return []
  const isCaused = trace.some(({ fault, at }) => fault && at >= askedAt - CAUSE * 1000 && at <= answeredAt)
  return isCaused || isSuspended({ askedAt, answeredAt }, trace)
    ? []
    : [`${method} ${path} was answered ${status} without a fault`]
}

/** A suspended project answers every call with 403 for as long as its suspension lasts. */
const isSuspended = (
  { askedAt, answeredAt }: Pick<AnsweredRequest, 'askedAt' | 'answeredAt'>,
  trace: Evidence['trace'],
): boolean =>
  trace.some(({ fault, at }) => fault === 'suspension' && at <= answeredAt) &&
  trace.some(
    ({ call, at }) => call?.status === 403 && call.name.startsWith('platform ') && at >= askedAt && at <= answeredAt,
  )

/** A stop that was answered as done ends the show as stopped, unless it had failed or ended before. */
function unfinished(request: AnsweredRequest, shows: Evidence['shows']): string[] {
  const [, showId] = /^\/shows\/([^/]+)\/stop$/.exec(request.path) ?? []
  const result = shows.find((show) => show.showId === showId)?.result
  if (!result || !isDone(request) || result.status !== 'succeeded') return []
  const endedAt = Date.parse(result.endedAt ?? result.reportedAt)
  return endedAt <= request.answeredAt ? [] : [`the show ${showId} succeeded, although its stop was answered as done`]
}
