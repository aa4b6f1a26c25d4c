import type { Services } from '../../../services.ts'
import { describeStateError, type StateError } from '../../../tasks/state-errors.ts'
import { eventsBetween } from '../../plan/events-between.ts'
import { lossesOf, type ShowOutcome, showOutcome } from '../../plan/show-outcome.ts'
import { isRecording } from '../../state/part-entries.ts'
import type { RecordingResult, ShowResult } from '../../state/result.ts'
import type { ShowState } from '../../state/state.ts'
import { type TimelineEvent, withTimeline } from '../../state/timeline-events.ts'
import { mergeObservation } from '../merge-observation.ts'
import { type Observation, type ObservedShow, tryToObserve } from '../observation.ts'
import { archiveOf, outcomeOf, withOverlaps } from './recording-outcomes.ts'

export interface ShowEnd {
  readonly showId: string
  readonly sessionId: string | null
  /** Why the show ended, in words; what its state says of that goes before. */
  readonly reason: string | null
  /** What made its execution give up. */
  readonly failure: StateError | null
}

type Reach = Pick<Services, 'shows' | 'records' | 'platform' | 'storage' | 'clock'>

/** Milliseconds until a platform that cannot be asked is asked once more; the report has to come within a task's time. */
const ONCE_MORE = 15_000

/**
 * Writes the result of a show with the fate of everything it started, and tells the owner; the first result stays. A
 * platform that cannot be asked keeps no show unreported: then it is the last known state that is reported, in words.
 */
export async function report(services: Reach, end: ShowEnd): Promise<ShowResult> {
  const { shows, records, clock } = services
  const [{ show }, before] = await Promise.all([shows.request(end.showId), shows.state(end.showId)])
  const sessionId = end.sessionId ?? before.sessionId
  const seen = sessionId ? await look(services, { show, state: before, sessionId, extent: 'all' }) : undefined
  const state = seen ? mergeObservation(before, seen) : before
  const recordings = withOverlaps(await fatesOf(state, { sessionId, seen }, services))
  const verdict = showOutcome(state, recordings, {
    reason: state.endReason ?? end.reason,
    failure: end.failure && describeStateError(end.failure),
    wasAsked: !sessionId || seen !== undefined,
    recordsOn: seen?.automatic.some(isRecording) ?? false,
  })
  const happened = [
    ...eventsBetween(before, state, clock.now()),
    ...lossesOf(state, recordings).map(asFailed),
    ended(verdict),
  ]
  const result = await records.writeResult({
    version: 1,
    ...{ showId: end.showId, name: state.name, labels: show.labels, ...verdict },
    ...timesOf(state),
    ...(sessionId && { sessionId }),
    reportedAt: new Date(clock.now()).toISOString(),
    recordings,
    broadcasts: state.broadcasts.map(({ order: _, ...broadcast }) => broadcast),
    scenes: state.scenes,
    dialIns: state.dialIns.map(({ order: _, ...dialIn }) => dialIn),
    automaticArchives: (seen?.automatic ?? []).map(automaticArchive),
    timeline: withTimeline(state.timeline, clock.now(), ...happened),
  })
  await shows.update(
    end.showId,
    (latest) => ({ ...(seen ? mergeObservation(latest, seen) : latest), status: result.status }),
    ...happened.filter(({ what }) => what !== 'show.ended'),
    ended(result),
  )
  return result
}

async function look(services: Reach, what: ObservedShow): Promise<Observation | undefined> {
  const platform = await services.platform()
  const first = await tryToObserve(platform, what)
  if (first.seen) return first.seen
  await services.clock.sleep(ONCE_MORE)
  return (await tryToObserve(platform, what)).seen
}

async function fatesOf(
  { recordings, timeline }: ShowState,
  { sessionId, seen }: { sessionId: string | undefined; seen: Observation | undefined },
  { storage }: Reach,
): Promise<RecordingResult[]> {
  if (!sessionId) return recordings.map((one) => ({ ...one, lost: one.problem ?? 'The session was never opened.' }))
  if (seen) return Promise.all(recordings.map((one) => outcomeOf(one, archiveOf(one, seen.archives), storage)))
  const hasArrived = ({ name, part }: RecordingResult) =>
    timeline.some((entry) => ARRIVED.includes(entry.what) && entry.name === name && entry.part === part)
  return recordings.map((one) => {
    if (hasArrived(one)) return one
    const unknown = `The platform could not be asked what has become of it; last it was ${one.status}.`
    return { ...one, lost: one.archiveId ? unknown : (one.problem ?? 'It was never started.') }
  })
}

const ARRIVED: readonly string[] = ['recording.arrived', 'recording.rescued']

const timesOf = ({ acceptedAt, acceptedBy, startedAt, liveAt, plannedEndAt, endedAt }: ShowState) => ({
  acceptedAt,
  ...(acceptedBy !== undefined && { acceptedBy }),
  ...(startedAt && { startedAt }),
  ...(liveAt && { liveAt }),
  ...(plannedEndAt && { plannedEndAt }),
  ...(endedAt && { endedAt }),
})

const asFailed = ({ name, part, lost = '' }: RecordingResult): TimelineEvent => ({
  ...{ what: 'recording.failed', name, part },
  detail: lost,
})

const ended = ({ reason }: ShowOutcome): TimelineEvent => ({ what: 'show.ended', detail: reason })

const automaticArchive = ({ id, createdAt, status, reason, size, duration }: Observation['archives'][number]) => ({
  ...{ archiveId: id, createdAt: new Date(createdAt).toISOString(), status },
  ...(reason && { reason }),
  ...{ size, duration },
})
