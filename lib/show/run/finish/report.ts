import type { Services } from '../../../services.ts'
import { describeStateError, type StateError } from '../../../tasks/state-errors.ts'
import { eventsBetween } from '../../plan/events-between.ts'
import { lossesOf, type ShowOutcome, showOutcome } from '../../plan/show-outcome.ts'
import { isRecording } from '../../state/part-entries.ts'
import type { RecordingResult, ShowResult } from '../../state/result.ts'
import type { ShowState } from '../../state/state.ts'
import { type TimelineEvent, withTimeline } from '../../state/timeline-events.ts'
import { carriedTag } from '../composed-resources.ts'
import { mergeObservation } from '../merge-observation.ts'
import { type Observation, type ObservedShow, tryToObserve } from '../observation.ts'
import { straysIn } from '../strays.ts'
import { archiveOf, recordingOutcomeOf, withOverlaps } from './recording-outcomes.ts'

/** The end of a show, as its machine or the sweep reports it. */
export interface ShowEnd {
  readonly showId: string
  readonly sessionId: string | null
  /** Reason of the end. A reason in the show's state has priority. */
  readonly reason: string | null
  readonly failure: StateError | null
}

type Reporting = Pick<Services, 'shows' | 'records' | 'platform' | 'storage' | 'clock'>

/** Milliseconds before a failed observation is retried once, within the timeout of a task. */
const RETRY_PAUSE = 15_000

/** Writes a show's result and notifies the owner. The first result stays. The last known state serves without a platform. */
export async function report(services: Reporting, end: ShowEnd): Promise<ShowResult> {
  const { shows, records, clock } = services
  const [{ show }, before] = await Promise.all([shows.request(end.showId), shows.state(end.showId)])
  const sessionId = end.sessionId ?? before.sessionId
  const seen = sessionId ? await observeAtEnd(services, { show, state: before, sessionId, extent: 'all' }) : undefined
  const atEnd = (latest: ShowState) => withUnansweredDials(seen ? mergeObservation(latest, seen) : latest)
  const state = atEnd(before)
  const recordings = withOverlaps(await outcomesOf(services, state, { sessionId, seen }))
  const outcome = showOutcome(state, recordings, {
    reason: state.endReason ?? end.reason,
    failure: end.failure && describeStateError(end.failure),
    wasObserved: !sessionId || seen !== undefined,
    isStillRecorded: seen?.automatic.some(isRecording) ?? false,
  })
  const events = [
    ...eventsBetween(before, state, clock.now()),
    ...before.dialIns.filter(isUnanswered).map(({ name }) => ({ what: 'dialIn.unknown' as const, name })),
    ...lossesOf(state, recordings).map(asFailed),
    ended(outcome),
  ]
  const strays = seen ? straysIn(state, seen).archives : []
  const result = await records.writeResult({
    version: 1,
    showId: end.showId,
    name: state.name,
    labels: show.labels,
    ...outcome,
    ...timesOf(state),
    ...(sessionId && { sessionId }),
    reportedAt: new Date(clock.now()).toISOString(),
    recordings,
    broadcasts: state.broadcasts.map(({ order: _, ...broadcast }) => broadcast),
    scenes: state.scenes,
    dialIns: state.dialIns.map(({ order: _, ...dialIn }) => dialIn),
    automaticArchives: (seen?.automatic ?? []).map(describeArchive),
    ...(strays.length > 0 && {
      strays: strays.map((one) => ({ ...describeArchive(one), tag: carriedTag(one) ?? '' })),
    }),
    timeline: withTimeline(state.timeline, clock.now(), ...events),
  })
  await shows.update(
    end.showId,
    (latest) => ({ ...atEnd(latest), status: result.status }),
    ...events.filter(({ what }) => what !== 'show.ended'),
    ended(result),
  )
  return result
}

type DialIn = ShowState['dialIns'][number]

/** Matches a dial-in whose dial was interrupted before its answer could be noted, and which nothing has repeated. */
const isUnanswered = ({ askedAt, status }: DialIn) => askedAt !== undefined && status === undefined

const withUnansweredDials = (state: ShowState): ShowState => ({
  ...state,
  dialIns: state.dialIns.map((one) => (isUnanswered(one) ? { ...one, status: 'unknown' as const } : one)),
})

async function observeAtEnd(services: Reporting, show: ObservedShow): Promise<Observation | undefined> {
  const platform = await services.platform()
  const first = await tryToObserve(platform, show)
  if (first.seen) return first.seen
  await services.clock.sleep(RETRY_PAUSE)
  return (await tryToObserve(platform, show)).seen
}

async function outcomesOf(
  { storage }: Reporting,
  { recordings }: ShowState,
  { sessionId, seen }: { sessionId: string | undefined; seen: Observation | undefined },
): Promise<RecordingResult[]> {
  if (!sessionId) return recordings.map((one) => ({ ...one, lost: one.problem ?? 'The session was never opened.' }))
  if (seen) return Promise.all(recordings.map((one) => recordingOutcomeOf(storage, one, archiveOf(one, seen.archives))))
  return recordings.map((one) => {
    if (one.key !== undefined) return one
    const unknown = `The platform could not be reached at the end; the last known status is ${one.status}.`
    return { ...one, lost: one.archiveId ? unknown : (one.problem ?? 'It was never started.') }
  })
}

const timesOf = ({ acceptedAt, acceptedBy, startedAt, liveAt, plannedEndAt, openEnd, endedAt }: ShowState) => ({
  acceptedAt,
  ...(acceptedBy !== undefined && { acceptedBy }),
  ...(startedAt && { startedAt }),
  ...(liveAt && { liveAt }),
  ...(plannedEndAt && { plannedEndAt }),
  ...(openEnd && { openEnd }),
  ...(endedAt && { endedAt }),
})

const asFailed = ({ name, part, lost = '' }: RecordingResult): TimelineEvent => ({
  what: 'recording.failed',
  name,
  part,
  detail: lost,
})

const ended = ({ reason }: ShowOutcome): TimelineEvent => ({ what: 'show.ended', detail: reason })

const describeArchive = ({ id, createdAt, status, reason, size, duration }: Observation['archives'][number]) => ({
  archiveId: id,
  createdAt: new Date(createdAt).toISOString(),
  status,
  ...(reason && { reason }),
  size,
  duration,
})
