import type { WatchedRecordingLink } from '../../../lib/api/watched-show.ts'
import type { Services } from '../../../lib/services.ts'
import type { StartOrder } from '../../../lib/show/document/starts/start.ts'
import { nextStart } from '../../../lib/show/plan/next-start.ts'
import { occurrenceId, timeOfOccurrence } from '../../../lib/show/run/start/occurrence-id.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import type { ShowVisit } from './admit-to-show.ts'
import { linksTo, liveOf, phaseOf, type ShowProgress } from './show-progress.ts'
import { recordingsOf } from './show-recordings.ts'

type Series = Extract<StartOrder, { readonly cron: string }>
type Reading = Pick<Services, 'records' | 'watchLinks' | 'clock'>

/** Shows of a series whose recordings its page lists. */
const LISTED = 10
/** Shows of a series that may run at once: one may last longer than the time to the next start. */
const RUNNING = 2
/** Milliseconds after a planned start in which its show may not be recorded yet. */
const STARTING_MS = 300_000

/** Describes a series: its live show, or else its next start and the recordings of its newest shows. */
export async function describeSeries(visit: ShowVisit, series: Series, services: Reading): Promise<ShowProgress> {
  const { showId, show } = visit.request
  const state = await services.records.readState(showId)
  const newest = (state?.occurrences ?? []).toReversed().slice(0, LISTED)
  const running = await readStates(newest.slice(0, RUNNING), services)
  const current = running.find((one) => phaseOf(one) === 'live') ?? running.find((one) => phaseOf(one) === 'before')
  if (current && phaseOf(current) === 'live')
    return { phase: 'live', startsAt: null, live: liveOf(current, show), recordings: [], isPublishing: false }
  if (current) {
    const earlier = newest.filter((one) => one !== current.showId)
    return { phase: 'before', startsAt: null, live: null, ...(await earlierRecordings(visit, earlier, services)) }
  }
  const now = services.clock.now()
  const next = startingOf(newest[0], running, now) ?? (state && nextOf(showId, series, state, now))
  const phase = next === undefined ? 'after' : 'before'
  const startsAt = next === undefined ? null : new Date(next).toISOString()
  return { phase, startsAt, live: null, ...(await earlierRecordings(visit, newest, services)) }
}

/** Returns the time of the newest show if it starts: a start is noted before its show has a state. */
function startingOf(newest: string | undefined, recorded: readonly ShowState[], now: number): number | undefined {
  if (newest === undefined || recorded.some(({ showId }) => showId === newest)) return undefined
  const time = timeOfOccurrence(newest)
  return time > now - STARTING_MS ? time : undefined
}

/** Returns the next start, also one that has just passed and whose show is not recorded yet; undefined if the series is over. */
function nextOf(showId: string, series: Series, state: ShowState, now: number): number | undefined {
  const { status, starts = [], occurrences = [] } = state
  if (status !== 'scheduled' || starts.length >= (series.count ?? Number.POSITIVE_INFINITY)) return undefined
  const due = nextStart(series, Math.max(now - STARTING_MS, Date.parse(state.editedAt ?? state.acceptedAt)))
  return due !== undefined && due <= now && occurrences.includes(occurrenceId(showId, due))
    ? nextStart(series, now)
    : due
}

type Earlier = Pick<ShowProgress, 'recordings' | 'isPublishing'>

/** Milliseconds for which a function keeps the list: many viewers wait for the same start. */
const LIST_AGE = 20_000
/** Lists that a function keeps. Links with another end have another list. */
const MAX_LISTS = 200
const lists = new WeakMap<
  Services['records'],
  Map<string, { readonly until: number; readonly list: Promise<Earlier> }>
>()

function earlierRecordings(visit: ShowVisit, showIds: readonly string[], services: Reading): Promise<Earlier> {
  const now = services.clock.now()
  const kept = lists.get(services.records) ?? new Map()
  lists.set(services.records, kept)
  const key = `${visit.expires} ${visit.request.showId} ${showIds[0]}`
  const found = kept.get(key)
  if (found && now < found.until) return found.list
  if (kept.size >= MAX_LISTS) kept.clear()
  const list = listRecordings(visit, showIds, services)
  kept.set(key, { until: now + LIST_AGE, list })
  list.catch(() => kept.delete(key))
  return list
}

async function listRecordings(visit: ShowVisit, showIds: readonly string[], services: Reading): Promise<Earlier> {
  const states = await readStates(showIds, services)
  const listed = states.map(async (state): Promise<Earlier> => {
    const recordings = await recordingsOf(visit, state, services)
    const links: WatchedRecordingLink[] = linksTo(recordings, state.liveAt ?? state.acceptedAt)
    return { recordings: links, isPublishing: recordings.some(({ isAwaited }) => isAwaited) }
  })
  const all = await Promise.all(listed)
  return {
    recordings: all.flatMap(({ recordings }) => recordings),
    isPublishing: all.some(({ isPublishing }) => isPublishing),
  }
}

/** Returns the states of shows, without those that were not recorded because their start was interrupted. */
async function readStates(showIds: readonly string[], { records }: Pick<Reading, 'records'>): Promise<ShowState[]> {
  const states = await Promise.all(showIds.map(records.readState))
  return states.flatMap((state) => state ?? [])
}
