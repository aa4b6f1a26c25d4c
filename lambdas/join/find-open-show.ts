import type { Services } from '../../lib/services.ts'
import type { Show } from '../../lib/show/document/show.ts'
import { startInstant } from '../../lib/show/document/starts/start-times.ts'
import { latestStart, nextStart } from '../../lib/show/plan/next-start.ts'
import { occurrenceId, timeOfOccurrence } from '../../lib/show/run/start/occurrence-id.ts'
import { isTerminal, type ShowState } from '../../lib/show/state/state.ts'
import { ApiProblem } from '../http/problem.ts'

type Reading = Pick<Services, 'records' | 'clock'>

/** Seconds after which a participant may ask again while the show starts. */
const MIN_RETRY = 2
/** Maximum seconds after which a participant may ask again while the show is late. */
const MAX_LATE_RETRY = 30
/** Maximum seconds after which a participant may ask again: a start can be moved. */
const MAX_RETRY = 300
/** Newest occurrences of a series, of which one may run. */
const MAX_RUNNING = 3
/**
 * Milliseconds by which an occurrence of a recurring show may start late. The sweep runs every five minutes. It starts an
 * occurrence that its schedule did not start, 15 minutes after its time.
 */
const MAX_LATE = 1_200_000

/**
 * Returns the show that a participant can join now: this one, or the running occurrence of a recurring one.
 * @throws {@link ApiProblem} before it has a session, and after its end
 */
export async function findOpenShow(
  state: ShowState,
  services: Reading,
): Promise<{ showId: string; sessionId: string }> {
  const show = state.startedAt ? undefined : (await services.records.readRequest(state.showId))?.show
  const isSeries = show?.start !== undefined && 'cron' in show.start
  const found: Found | undefined = isSeries ? await findOccurrence(state, show, services) : unlessOver(state)
  if (!found) throw new ApiProblem('show-over', 'The show is over, so it admits no participants.')
  const { showId, sessionId, status } = found
  if (sessionId) return { showId, sessionId }
  const now = services.clock.now()
  const start = status === 'scheduled' ? show?.start : undefined
  const startsAt = start && (isSeries ? nextStart(start, now) : startInstant(start))
  throw notOpen(startsAt, found.dueAt ?? startsAt ?? now, now)
}

/** A show that participants of an invitation can join, or wait for. */
interface Found extends ShowState {
  /** When the schedule had to start an occurrence that is not there yet, in milliseconds since the epoch. */
  readonly dueAt?: number
}

const isOver = ({ endedAt, status }: ShowState) => endedAt !== undefined || isTerminal(status)

const unlessOver = (state: ShowState) => (isOver(state) ? undefined : state)

/** Returns the newest occurrence that is not over, the series itself before the next one, or undefined after the last one. */
async function findOccurrence(series: ShowState, show: Show, services: Reading): Promise<Found | undefined> {
  const { showId, occurrences = [], starts = [] } = series
  const newest = occurrences.toReversed().slice(0, MAX_RUNNING)
  const states = await Promise.all(newest.map(services.records.readState))
  const running = states.find((occurrence) => occurrence && !isOver(occurrence))
  if (running) return running
  const now = services.clock.now()
  const [latest] = newest
  // A start is noted before its occurrence has a state.
  const notedFor = latest === undefined || states[0] ? Number.NEGATIVE_INFINITY : timeOfOccurrence(latest)
  if (notedFor > now - MAX_LATE) return { ...series, status: 'starting', dueAt: notedFor }
  if (isOver(series) || !show.start || !('cron' in show.start)) return undefined
  const { start } = show
  if (starts.length >= (start.count ?? Number.POSITIVE_INFINITY)) return undefined
  const since = Date.parse(series.editedAt ?? series.acceptedAt) // a start before that is not due
  const due = latestStart(start, Math.max(now - MAX_LATE, since), now)
  const isStarting = due !== undefined && !occurrences.includes(occurrenceId(showId, due))
  if (isStarting) return { ...series, status: 'starting', dueAt: due }
  return nextStart(start, now) === undefined ? undefined : series
}

/** @param dueAt when it starts or had to start: participants of a late show ask after a tenth of its delay */
function notOpen(startsAt: number | undefined, dueAt: number, now: number): ApiProblem {
  const seconds =
    dueAt > now ? Math.min(MAX_RETRY, (dueAt - now) / 1000) : Math.min(MAX_LATE_RETRY, (now - dueAt) / 10_000)
  const time = startsAt === undefined ? undefined : new Date(startsAt).toISOString()
  const detail = time === undefined ? 'It is starting.' : `It starts at ${time}.`
  const headers = { 'retry-after': String(Math.max(MIN_RETRY, Math.ceil(seconds))) }
  return new ApiProblem('show-not-open', `The show is not open yet. ${detail}`, undefined, headers, time)
}
