import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import type { TraceEntry } from '../trace.ts'
import { RETRIED } from './callbacks/repeated-callbacks.ts'
import type { Evidence, ShowEvidence } from './evidence.ts'

/**
 * Milliseconds that a show may take beside its own waits: retries, the sweep and its rounds, outages of ten minutes
 * each.
 */
const SLACK = 4 * 3_600_000
const TERMINAL: readonly string[] = ['succeeded', 'failed', 'stopped', 'cancelled', 'degraded']

/**
 * Checks that every show reaches a terminal state in time, and that its owner is notified at least once, on the bus and
 * by the callback, with ids that identify events.
 */
export function everyShowReported(evidence: Evidence): string[] {
  return [...evidence.shows.flatMap((show) => problemsOf(show, evidence)), ...ambiguousIds(evidence)]
}

function problemsOf({ showId, startedAt, request, result, state }: ShowEvidence, evidence: Evidence): string[] {
  const show = showId.slice(0, 12)
  if (!request) return [] // refused before it was recorded: its execution failed with the reason
  if (!result) return [`the show ${show} has no result: its state is ${state?.status ?? 'none'}`]
  const problems: string[] = []
  if (!TERMINAL.includes(result.status)) problems.push(`the show ${show} ended as ${result.status}`)
  if (state && state.status !== result.status)
    problems.push(`the show ${show} is ${result.status} by its result and ${state.status} by its state`)
  const { audienceWait, uploadWait, callback } = request.show
  const planned = state?.plannedEndAt && state.liveAt ? Date.parse(state.plannedEndAt) - Date.parse(state.liveAt) : 0
  const longest = (audienceWait + uploadWait) * 1000 + Math.max(maxSecondsOf(request.show) * 1000, planned) + SLACK
  const took = Date.parse(result.reportedAt) - startedAt
  if (took > longest)
    problems.push(`the show ${show} took ${took / 1000} s where at most ${longest / 1000} s are expected`)

  const isOfShow = (detail: unknown) => (detail as { showId?: string } | undefined)?.showId === showId
  const ends = evidence.events.filter(({ 'detail-type': kind, detail }) => kind === 'show.ended' && isOfShow(detail))
  if (ends.length === 0) problems.push(`the event bus has no show.ended of the show ${show}`)
  if (callback && !wasCalledBack(evidence, showId))
    problems.push(`${callback.url} received no show.ended of the show ${show}`)
  return problems
}

/** An app’s refusal of a callback, which ends its delivery; others are repeated by docs/callbacks.md. */
const isRefused = ({ call }: TraceEntry) =>
  call?.name.startsWith('app POST ') === true &&
  call.status >= 300 &&
  call.status < 500 &&
  !RETRIED.includes(call.status)

/** Returns true if the app received the callback or refused one. */
function wasCalledBack({ callbacks, failedCalls, trace }: Evidence, showId: string): boolean {
  const isEnd = ({ body }: { body: string }) => {
    const event = parse(body)
    return event?.showId === showId && event.event === 'show.ended'
  }
  const isRefusal = ({ operation, kind }: Evidence['failedCalls'][number]) =>
    operation.startsWith('app ') && (kind === '400' || kind === '403' || kind === '404' || kind === '409')
  return callbacks.some(isEnd) || failedCalls.some(isRefusal) || trace.some(isRefused)
}

/**
 * Finds ids that two different events share. A later delivery of the same event may name the archive, which was unknown when a
 * start failed.
 */
function ambiguousIds({ callbacks, events }: Evidence): string[] {
  const meanings = new Map<string, Set<string>>()
  const archives = new Map<string, Set<string>>()
  const notices = [
    ...callbacks.map(({ body }) => parse(body)),
    ...events.map(({ 'detail-type': event, detail }) => ({ event, ...(detail as object) }) as Notice),
  ]
  const nameless = notices.filter((one) => one && !one.id)
  for (const one of notices) {
    if (!one?.id) continue
    const { id, event, showId, name, part, archiveId } = one
    meanings.set(id, (meanings.get(id) ?? new Set()).add([event, showId, name, part].join(' ')))
    if (archiveId !== undefined) archives.set(id, (archives.get(id) ?? new Set()).add(`the archive ${archiveId}`))
  }
  const ambiguous = [...meanings, ...archives].filter(([, several]) => several.size > 1)
  return [
    ...nameless.map((one) => `an event ${one?.event} has no id to deduplicate by`),
    ...ambiguous.map(([id, several]) => `the id ${id} stands for ${[...several].join(' and for ')}`),
  ]
}

interface Notice {
  readonly id?: string
  readonly event?: string
  readonly showId?: string
  readonly name?: string
  readonly part?: number
  readonly archiveId?: string
}

function parse(body: string): Notice | undefined {
  try {
    return JSON.parse(body) as Notice
  } catch {
    return undefined
  }
}
