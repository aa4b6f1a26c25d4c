import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { partRunsOf } from '../parts/part-runs.ts'
import { pausesOf } from '../parts/pauses-of.ts'
import { latestAfter, watchFaultsIn } from '../parts/watch-faults.ts'
import { problemIn } from '../requests/problem-in.ts'
import type { RequestedChange } from './requested-change.ts'

/** Milliseconds around a request in which the state of a show may change. */
const AROUND = 3_000
/** Milliseconds for which a part runs before the state has it, also while the clocks differ; and until its end is noted. */
const NOTED = 90_000
/** Seconds for which a fault may hide what runs. */
const HIDDEN = 1_200
/** Milliseconds until a show is polled again, in which its end cannot be moved. */
const POLL = 60_000
/** Seven days. */
const MAX_SHOW = 604_800_000

type Seen = Pick<Evidence, 'shows' | 'apiRequests' | 'statusChanges' | 'trace' | 'failedCalls'>

interface Refusal extends AnsweredRequest {
  readonly show: ShowEvidence
  /** Identifier of the problem (docs/problems.md). */
  readonly problem: string
  readonly detail: string
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

/**
 * Checks that the API refuses a control only for the reason that it gives (docs/problems.md): by the state of the show, by that
 * of the recording, or by the document.
 */
export function refusedControls(evidence: Seen): string[] {
  const faults = watchFaultsIn(evidence)
  return evidence.shows.flatMap((show) =>
    refusalsOf(show, evidence.apiRequests).flatMap((one) => {
      const wrong = [
        ...(one.problem === 'wrong-show-state' && isLiveDuring(one, evidence.apiRequests) ? ['the show was live'] : []),
        ...(one.problem === 'wrong-recording-state' ? wrongRecordingStates(one, evidence, faults) : []),
        ...(one.problem === 'wrong-recording-state' ? refusedRepetition(one, evidence.apiRequests) : []),
        ...(one.problem === 'change-refused' ? wrongChanges(one, evidence, faults) : []),
        ...(one.problem === 'name-taken' && !isTaken(one, evidence) ? ['nothing had the name'] : []),
      ]
      return wrong.map((why) => `${one.method} ${one.path} was refused at ${timeOf(one.askedAt)}, although ${why}`)
    }),
  )
}

const timeOf = (at: number) => new Date(at).toISOString()

function refusalsOf(show: ShowEvidence, requests: Seen['apiRequests']): Refusal[] {
  return requests
    .filter(({ path, status }) => status === 409 && new RegExp(`^/shows/${show.showId}(/|$)`).test(path))
    .flatMap((request) => {
      const problem = problemIn(request.answer)
      if (problem === undefined) return []
      const { detail = '', problems = [] } = JSON.parse(request.answer)
      return [{ ...request, show, problem, detail, problems }]
    })
}

/** Returns true if a show was live and not asked to stop from before a request until after its answer. */
function isLiveDuring({ show, method, path, askedAt, answeredAt }: Refusal, requests: Seen['apiRequests']): boolean {
  const { liveAt, endedAt, stopAskedAt, plannedEndAt, timeline = [] } = show.state ?? {}
  const started = timeline.filter(({ what }) => /^(recording|broadcast)\.started$/.test(what)).map(({ at }) => at)
  if (liveAt === undefined || started.length === 0 || !isControl(method, path)) return false
  if (path.endsWith('/resume') && isMeanwhile('pause', { askedAt, answeredAt }, requests)) return false
  const from = Math.min(...started.map((at) => Date.parse(at)))
  const to = Math.min(
    ...[endedAt, stopAskedAt, plannedEndAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at)])),
  )
  return askedAt > from + AROUND && answeredAt < to - AROUND
}

const isControl = (method: string, path: string) =>
  !['PUT', 'DELETE'].includes(method) && !/\/(tokens|invitations|clips.*|execution.*)$/.test(path)

const isMeanwhile = (
  what: string,
  { askedAt, answeredAt }: { askedAt: number; answeredAt: number },
  all: Seen['apiRequests'],
) => all.some((one) => one.path.endsWith(`/${what}`) && one.askedAt <= answeredAt && one.answeredAt >= askedAt)

function wrongRecordingStates(refusal: Refusal, evidence: Seen, faults: readonly number[]): string[] {
  const { show, path, detail, askedAt, answeredAt } = refusal
  const [, name = ''] = /\/recordings\/([^/]+)\//.exec(path) ?? []
  const order = show.request?.show.recordings.find((one) => one.name === name)
  if (!order) return []
  const [from, to] = [askedAt - AROUND, answeredAt + AROUND]
  const pauses = pausesOf(order, show.state)
  const isPaused = pauses.some((one) => one.from <= from && one.to >= to)
  const mayBePaused = pauses.some((one) => one.from <= to && one.to >= from)
  if (/not paused/.test(detail)) return isPaused ? [`${name} was paused`] : []
  if (/paused already/.test(detail)) return mayBePaused ? [] : [`${name} was not paused`]
  return isRunning('archive', name, refusal, evidence, faults) ? [`${name} was running`] : []
}

/** Finds a repetition that is refused as done already, although nothing but its own first attempt has done it. */
function refusedRepetition({ show, path, key, detail, askedAt }: Refusal, all: Seen['apiRequests']): string[] {
  const same = all.filter((one) => one.path === path)
  const first = same.find((one) => one.key === key)
  const isRepeated = first && first.askedAt < askedAt && (first.status ?? 500) >= 500
  const isOthers = all.some(
    (one) =>
      /\/(pause|resume)$/.test(one.path) &&
      one.key !== key &&
      one.answeredAt >= (first?.askedAt ?? 0) &&
      one.askedAt <= askedAt,
  )
  const isNoted = show.state?.pauses?.some(
    ({ at }) => first && Date.parse(at) >= first.askedAt && Date.parse(at) <= first.answeredAt,
  )
  return isRepeated && isNoted && !isOthers && /not paused|paused already/.test(detail)
    ? ['its first attempt had noted it']
    : []
}

function wrongChanges(refusal: Refusal, evidence: Seen, faults: readonly number[]): string[] {
  const { show, method, body, askedAt, problems } = refusal
  const { recordings = [], broadcasts = [] } = show.request?.show ?? {}
  if (method !== 'PATCH') {
    const [, kind, name, what] = /\/(recordings|broadcasts)\/([^/]+)\/(\w+)$/.exec(refusal.path) ?? []
    if (kind === 'broadcasts') return broadcasts.some((one) => one.name === name) ? [`the show has ${name}`] : []
    const order = recordings.find((one) => one.name === name)
    return order && order.parts !== false && order.streamMode !== 'manual' ? [`${name} can ${what}`] : []
  }
  const change = JSON.parse(body) as RequestedChange
  const { duration, endsAt } = change
  const end = duration === undefined ? Date.parse(endsAt ?? '') : Date.parse(show.state?.liveAt ?? '') + duration * 1000
  return problems.flatMap(({ path, message }) => {
    if (path === 'duration' || path === 'endsAt') {
      if (/in the past/.test(message)) return end > refusal.answeredAt ? ['its end was ahead'] : []
      if (/before the next poll/.test(message)) {
        if (end > askedAt + POLL + AROUND) return ['its end was far enough ahead']
        return isLater(end, refusal, evidence) ? ['its end was later than planned'] : []
      }
      if (/more than/.test(message))
        return end <= Date.parse(show.state?.liveAt ?? '') + MAX_SHOW ? ['its end is within seven days'] : []
      return []
    }
    const [, list, index] = /^(layouts|streams)\[(\d+)\]/.exec(path) ?? []
    const { recording, broadcast = '' } = change[list as 'layouts' | 'streams']?.[Number(index)] ?? {}
    const name = recording ?? broadcast
    const order = (recording === undefined ? broadcasts : recordings).find((one) => one.name === name)
    if (!order) return []
    if (/does not have$/.test(message) && !/outputMode/.test(message)) return [`the show has ${name}`]
    if (/streamMode manual/.test(message)) return order.streamMode === 'manual' ? [`${name} selects streams`] : []
    const kind = recording === undefined ? 'broadcast' : 'archive'
    return /not running/.test(message) && isRunning(kind, name, refusal, evidence, faults)
      ? [`${name} was running`]
      : []
  })
}

/** Returns true if an end is later than the planned one, which no request has moved. */
function isLater(end: number, { show, path }: Refusal, { apiRequests }: Seen): boolean {
  const isMoved = apiRequests.some(
    ({ method, path: of, body, status = 200 }) =>
      method === 'PATCH' && of === path && status < 300 && /"(duration|endsAt)"/.test(body),
  )
  return !isMoved && end > Date.parse(show.state?.plannedEndAt ?? '')
}

/** Returns true if the document, another request, or a resource that has begun has the name of an added order. */
function isTaken({ show, path, body, key, answeredAt }: Refusal, { apiRequests, statusChanges }: Seen): boolean {
  const nameIn = (text: string) => (JSON.parse(text) as { readonly name?: string }).name
  const name = nameIn(body)
  const { broadcasts = [], dialIns = [] } = show.request?.show ?? {}
  return (
    (path.endsWith('/dial-ins') ? dialIns : broadcasts).some((one) => one.name === name) ||
    apiRequests.some((one) => one.path === path && one.key !== key && nameIn(one.body) === name) ||
    (show.state?.dialIns ?? []).some((one) => one.name === name && one.askedAt !== undefined) ||
    partRunsOf(show.showId, 'broadcast', statusChanges).some((one) => one.name === name && one.from <= answeredAt)
  )
}

/** Returns true if one part ran long before and after a request, and no fault could hide that. */
function isRunning(
  kind: 'archive' | 'broadcast',
  name: string,
  { show, askedAt, answeredAt }: Refusal,
  { statusChanges }: Seen,
  faults: readonly number[],
): boolean {
  const from = askedAt - NOTED
  if (latestAfter(faults, { from, due: from, seconds: HIDDEN }) > from) return false
  return partRunsOf(show.showId, kind, statusChanges).some(
    (one) => one.name === name && one.from <= from && one.to >= answeredAt + NOTED,
  )
}
