import type { Evidence, ShowEvidence } from './evidence.ts'

/** What a show may take beside its own waits, in ms: retries, the sweep and its rounds, outages of ten minutes each. */
const SLACK = 4 * 3_600_000
const TERMINAL: readonly string[] = ['succeeded', 'failed', 'stopped']

/**
 * Invariant 4: every show reaches a terminal state within a known time, and its owner is told at least once, by the event bus
 * and by the callback that it names, with ids that tell the same event.
 */
export function everyShowReported(evidence: Evidence): string[] {
  return [...evidence.shows.flatMap((show) => problemsOf(show, evidence)), ...ambiguousIds(evidence)]
}

function problemsOf({ showId, begunAt, request, result, state }: ShowEvidence, evidence: Evidence): string[] {
  const show = showId.slice(0, 12)
  if (!request) return [] // refused before it was recorded: its execution failed with the reason
  if (!result) return [`the show ${show} has no result: its state is ${state?.status ?? 'none'}`]
  const problems: string[] = []
  if (!TERMINAL.includes(result.status)) problems.push(`the show ${show} ended as ${result.status}`)
  if (state && state.status !== result.status)
    problems.push(`the show ${show} is ${result.status} by its result and ${state.status} by its state`)
  const { audienceWait, duration, uploadWait, callback } = request.show
  const planned = state?.plannedEndAt && state.liveAt ? Date.parse(state.plannedEndAt) - Date.parse(state.liveAt) : 0
  const longest = (audienceWait + uploadWait) * 1000 + Math.max(duration * 1000, planned) + SLACK
  const took = Date.parse(result.reportedAt) - begunAt
  if (took > longest) problems.push(`the show ${show} took ${took / 1000} s where ${longest / 1000} s are known`)

  const isOfShow = (detail: unknown) => (detail as { showId?: string } | undefined)?.showId === showId
  const ends = evidence.events.filter(({ 'detail-type': kind, detail }) => kind === 'show.ended' && isOfShow(detail))
  if (ends.length === 0) problems.push(`the event bus was never told that the show ${show} ended`)
  if (callback && !wasCalledBack(evidence, showId))
    problems.push(`${callback.url} was never told that the show ${show} ended`)
  return problems
}

/** Of an app whose server has refused a callback of a show, Showrunner need not take any more notice. */
const REFUSED = / -> app POST \S+ -> (3|4)\d\d$/

/** An app that has refused a callback has been told as well as could be. */
function wasCalledBack({ callbacks, struck, trace }: Evidence, showId: string): boolean {
  const isEnd = ({ body }: { body: string }) => {
    const told = parse(body)
    return told?.showId === showId && told.event === 'show.ended'
  }
  const isRefusal = ({ operation, kind }: Evidence['struck'][number]) =>
    operation.startsWith('app ') && (kind === '400' || kind === '403' || kind === '404' || kind === '409')
  return callbacks.some(isEnd) || struck.some(isRefusal) || trace.some((line) => REFUSED.test(line))
}

/** One id stands for one event. */
function ambiguousIds({ callbacks, events }: Evidence): string[] {
  const meanings = new Map<string, Set<string>>()
  const told = [
    ...callbacks.map(({ body }) => parse(body)),
    ...events.map(({ 'detail-type': event, detail }) => ({ event, ...(detail as object) }) as Told),
  ]
  const nameless = told.filter((one) => one && !one.id)
  for (const one of told) {
    if (!one?.id) continue
    const { id, event, showId, name, part, archiveId } = one
    meanings.set(id, (meanings.get(id) ?? new Set()).add([event, showId, name, part, archiveId].join(' ')))
  }
  const ambiguous = [...meanings].filter(([, several]) => several.size > 1)
  return [
    ...nameless.map((one) => `an event ${one?.event} has no id to deduplicate by`),
    ...ambiguous.map(([id, several]) => `the id ${id} stands for ${[...several].join(' and for ')}`),
  ]
}

interface Told {
  readonly id?: string
  readonly event?: string
  readonly showId?: string
  readonly name?: string
  readonly part?: number
  readonly archiveId?: string
}

function parse(body: string): Told | undefined {
  try {
    return JSON.parse(body) as Told
  } catch {
    return undefined
  }
}
