import { isDeepStrictEqual } from 'node:util'
import { archiveReasons } from '../../lib/platform/contract/archives.ts'
import type { Services } from '../../lib/services.ts'
import { continueChanges, pendingIn } from '../../lib/show/controls/pending-changes.ts'
import { eventsBetween } from '../../lib/show/plan/events-between.ts'
import { type PartsSituation, planParts, stepsAhead } from '../../lib/show/plan/next-parts.ts'
import { nextPollAt } from '../../lib/show/plan/poll-interval.ts'
import { strandedFor, withRescues } from '../../lib/show/plan/rescue-policy.ts'
import { mergeObservation } from '../../lib/show/run/merge-observation.ts'
import { type Observation, tryToObserve } from '../../lib/show/run/observation.ts'
import { runsAnything } from '../../lib/show/state/part-entries.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import { identityOf } from '../../lib/show/state/timeline-events.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function watchShow(
  { showId, sessionId }: TaskInput<'watchShow'>,
  services: Services,
): Promise<TaskOutput<'watchShow'>> {
  const { shows, platform, clock } = services
  const [{ show }, before] = await Promise.all([shows.request(showId), shows.state(showId)])
  if (!before.liveAt || !before.plannedEndAt) throw new TaskInputError(`The show ${showId} is not live.`)
  // While nothing can be seen nothing is known, and a show is not ended for that: it is looked at again.
  const { seen } = await tryToObserve(await platform(), { show, state: before, sessionId, extent: 'newest' })
  const noted = seen ? await note(before, seen, services) : before
  const looked = seen ? await continueChanges(services, noted) : noted

  const now = clock.now()
  const state = isTimeUp(looked, now) ? await noteEnd(showId, now, services) : looked
  const situation = { show, state, broadcasts: seen?.broadcasts ?? [], isFresh: seen !== undefined, now }
  const steps = stepsAhead(situation)
  const soon = pendingIn(state).length > 0 ? now + 1_000 : Number.POSITIVE_INFINITY
  const nextLookAt = new Date(Math.min(soon, nextPollAt(situation, steps))).toISOString()
  const reason = endOf(situation, steps)
  if (reason) return { over: true, reason, due: null, stranded: [], nextLookAt }
  const due = planParts(situation)
  const stranded = seen && !due ? strandedFor(state, now) : [] // at the next look
  if (stranded.length > 0) {
    const tried = (latest: ShowState) => withRescues(latest.recordings, stranded, { now, isEnd: false })
    await shows.update(showId, (latest) => ({ ...latest, recordings: tried(latest) }))
  }
  return { over: false, due, stranded, nextLookAt }
}

/** Why the show is over, in words. */
function endOf({ state, isFresh }: PartsSituation, steps: ReturnType<typeof stepsAhead>): string | undefined {
  const { stopAskedAt, endedAt, endReason, recordings } = state
  if (stopAskedAt) return 'It was stopped on request.'
  if (endedAt) return endReason ?? 'It was ended.'
  if (!isFresh || runsAnything(state) || steps.some(({ act }) => act === 'start')) return undefined
  const ends = recordings.filter(({ archiveId, stoppedAt, status }) => archiveId && !stoppedAt && status !== 'failed')
  const hasEverybodyLeft = ends.length > 0 && ends.every(({ reason }) => reason === archiveReasons.sessionEnded)
  return hasEverybodyLeft ? 'Everybody left before the planned end.' : 'Everything had ended before the planned end.'
}

/** The state with what was seen; it is written only where that is news. */
async function note(before: ShowState, seen: Observation, { shows, clock }: Services): Promise<ShowState> {
  const after = mergeObservation(before, seen)
  const known = new Set(before.timeline.map(identityOf))
  const happened = eventsBetween(before, after, clock.now()).filter((one) => !known.has(identityOf(one)))
  if (happened.length === 0 && isDeepStrictEqual(before, after)) return before
  return shows.update(before.showId, (latest) => mergeObservation(latest, seen), ...happened)
}

const isTimeUp = ({ plannedEndAt = '', stopAskedAt, endedAt }: ShowState, now: number) =>
  !stopAskedAt && !endedAt && now >= Date.parse(plannedEndAt)

/** Written down as the end, so that either it stands or an extension that somebody was promised meanwhile, never both. */
function noteEnd(showId: string, now: number, { shows }: Services): Promise<ShowState> {
  const end = { endedAt: new Date(now).toISOString(), endReason: 'The planned end came.' }
  return shows.update(showId, (latest) => (isTimeUp(latest, now) ? { ...latest, ...end } : latest))
}

export const handler = taskHandler('watchShow', watchShow)
