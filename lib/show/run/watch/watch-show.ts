import { isDeepStrictEqual } from 'node:util'
import { archiveReasons } from '../../../platform/contract/archives.ts'
import type { Services, TaskRun } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import { continueChanges, pendingIn } from '../../controls/pending-changes.ts'
import { playCues, timeOfNextCue } from '../../controls/play-cues.ts'
import { openEndOf } from '../../document/duration.ts'
import type { Show } from '../../document/show.ts'
import { eventsBetween, pauseEvents } from '../../plan/events-between.ts'
import { type PartsSituation, planParts, stepsAhead } from '../../plan/next-parts.ts'
import { timeOfNextPoll } from '../../plan/poll-interval.ts'
import { strandedFor, withRescues } from '../../plan/rescue-policy.ts'
import { runsAnything } from '../../state/part-entries.ts'
import { isPausedAt } from '../../state/pauses.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowState } from '../../state/state.ts'
import { identityOf } from '../../state/timeline-events.ts'
import { mergeObservation } from '../merge-observation.ts'
import type { Seen } from '../observation.ts'
import { stopStrays } from '../strays.ts'
import { noteEmptiness, timeOfEmptyEnd, timeOfEmptyPoll } from './note-emptiness.ts'
import { observeTogether } from './observe-together.ts'

type Noting = Pick<Services, 'shows' | 'clock'>

type Observing = keyof Noting | 'platform' | 'observations'

/** Polls a live show: notes changes, returns what is due and when to poll next, also while the platform is unreachable. */
export const observeShow: TaskRun<'watchShow', Observing> = async (services, { showId, sessionId }, log) => {
  const { shows, clock } = services
  const [request, before] = await Promise.all([shows.request(showId), shows.state(showId)])
  const { show } = request
  if (!before.liveAt || !before.plannedEndAt) throw new TaskInputError(`The show ${showId} is not live.`)
  const observed = { show, state: before, sessionId, extent: 'newest' } as const
  const { seen, sharedBy } = await observeTogether(services, observed)
  const noted = seen
    ? await continueChanges(services, await playCues(services, show, await noteChanges(services, show, before, seen)))
    : before
  const strays = seen ? await stopStrays(services, noted, seen) : []
  if (strays.length > 0) log.warn('strays stopped', { ids: strays })
  const { state: changed, isEmpty } = seen
    ? await noteEmptiness(services, { sessionId, request, state: noted })
    : { state: noted, isEmpty: false }

  const now = clock.now()
  const state = endDue(request, changed, { now, isEmpty }) ? await noteEnd(services, request, isEmpty) : changed
  const situation = { show, state, broadcasts: seen?.broadcasts ?? [], isFresh: seen !== undefined, now }
  const steps = stepsAhead(situation)
  const soon = pendingIn(state).length > 0 ? now + 1_000 : Number.POSITIVE_INFINITY
  const nextPollAt = new Date(
    Math.min(
      soon,
      timeOfNextCue(show, state, now),
      timeOfEmptyPoll(request, state, now),
      timeOfNextPoll(situation, steps, sharedBy),
    ),
  ).toISOString()
  const reason = endReasonOf(situation, steps)
  if (reason) return { over: true, reason, due: null, stranded: [], nextPollAt }
  const due = planParts(situation, steps)
  const stranded = seen && !due ? strandedFor(state, now) : [] // one thing at a time: the next poll rescues
  if (stranded.length > 0) {
    const tried = (latest: ShowState) => withRescues(latest.recordings, stranded, { now, isEnd: false })
    await shows.update(showId, (latest) => ({ ...latest, recordings: tried(latest) }))
  }
  return { over: false, due, stranded, nextPollAt }
}

/** Returns the reason why the show is over, or undefined while it continues. */
function endReasonOf(
  { show, state, isFresh, now }: PartsSituation,
  steps: ReturnType<typeof stepsAhead>,
): string | undefined {
  const { stopAskedAt, endedAt, endReason, recordings, broadcasts, openEnd } = state
  if (stopAskedAt) return 'It was stopped on request.'
  if (endedAt) return endReason ?? 'It ended.'
  if (!isFresh || runsAnything(state) || steps.some(({ action }) => action === 'start')) return undefined
  if (show.recordings.some((order) => isPausedAt(order, state, now))) return undefined
  // Another broadcast may be added in the place of the only one.
  if (recordings.length === 0 && broadcasts.some((one) => one.stopAskedAt !== undefined)) return undefined
  const ends = recordings.filter(({ archiveId, stoppedAt, status }) => archiveId && !stoppedAt && status !== 'failed')
  const isEmpty = ends.length > 0 && ends.every(({ reason }) => reason === archiveReasons.sessionEnded)
  const what = isEmpty ? 'All participants left' : 'Everything had ended'
  return openEnd ? `${what}.` : `${what} before the planned end.`
}

/** Writes the state only when the observation changed it. */
async function noteChanges({ shows, clock }: Noting, show: Show, before: ShowState, seen: Seen): Promise<ShowState> {
  const now = clock.now()
  const after = mergeObservation(before, seen)
  const known = new Set(before.timeline.map(identityOf))
  const noticed = [...eventsBetween(before, after, now), ...pauseEvents(show, after, now)]
  const events = noticed.filter((one) => !known.has(identityOf(one)))
  if (events.length === 0 && isDeepStrictEqual(before, after)) return before
  return shows.update(before.showId, (latest) => mergeObservation(latest, seen), ...events)
}

/** Returns the reason of an end that is due by time; undefined before. An empty show is not over on an old observation. */
function endDue(
  request: ShowRequest,
  state: ShowState,
  { now, isEmpty }: { readonly now: number; readonly isEmpty: boolean },
): string | undefined {
  const { plannedEndAt = '', openEnd, stopAskedAt, endedAt } = state
  if (stopAskedAt || endedAt) return undefined
  if (now >= Date.parse(plannedEndAt)) return openEnd ? 'The latest end was reached.' : 'The planned end was reached.'
  if (!isEmpty || now < timeOfEmptyEnd(request, state)) return undefined
  return `No participant has published for ${openEndOf(request.show).emptyWait} s.`
}

/** Records the end under the condition that it is still due, so that it and an extension at the same time exclude each other. */
function noteEnd({ shows, clock }: Noting, request: ShowRequest, isEmpty: boolean): Promise<ShowState> {
  const now = clock.now()
  return shows.update(request.showId, (latest) => {
    const endReason = endDue(request, latest, { now, isEmpty })
    return endReason ? { ...latest, endedAt: new Date(now).toISOString(), endReason } : latest
  })
}
