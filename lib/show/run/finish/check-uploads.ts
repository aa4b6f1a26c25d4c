import type { Services, TaskRun } from '../../../services.ts'
import { eventsBetween } from '../../plan/events-between.ts'
import { secondsUntilNextPoll } from '../../plan/poll-interval.ts'
import { strandedAmong, withRescues } from '../../plan/rescue-policy.ts'
import type { ShowState } from '../../state/state.ts'
import { mergeObservation } from '../merge-observation.ts'
import { type Observation, tryToObserve } from '../observation.ts'
import { stopResources } from '../stop/stop-resources.ts'
import { archiveOf, isUnderWay, recordingOutcomeOf } from './recording-outcomes.ts'

/** Pause as a share of the time waited so far: 30 s after ten minutes, about 175 polls in a day. */
const WAIT_SHARE = 1 / 20

/** Polls uploads after the end: stops what still runs; returns how many arrived, which must be rescued, and how long to wait. */
export const pollUploads: TaskRun<'checkUploads', 'shows' | 'platform' | 'storage' | 'clock'> = async (
  services,
  { showId, ...input },
) => {
  const { shows, platform, clock } = services
  const [{ show }, before] = await Promise.all([shows.request(showId), shows.state(showId)])
  const sessionId = input.sessionId ?? before.sessionId
  if (!sessionId) return { over: true, arrived: 0, awaited: 0, waitSeconds: 0, stranded: [] }

  const { seen } = await tryToObserve(await platform(), { show, state: before, sessionId, extent: 'all' })
  const state = seen ? await noteObservation(services, before, seen) : before
  await stopResources(services, { state, sessionId, seen }) // failures are retried by the next poll

  const awaited = state.recordings.filter(isAwaited).length
  const uploaded = seen ? state.recordings.filter(({ status }) => status === 'uploaded').length : 0
  const isAll = seen !== undefined && awaited === 0
  const waited = (clock.now() - Date.parse(state.endedAt ?? state.acceptedAt)) / 1000
  if (!isAll && waited < show.uploadWait) {
    const waitSeconds = Math.min(secondsUntilNextPoll(waited, WAIT_SHARE), Math.ceil(show.uploadWait - waited))
    return { over: false, arrived: uploaded, awaited, waitSeconds, stranded: [] }
  }
  const arrived = seen && isAll ? await noteArrivals(services, state, seen) : uploaded
  const { stranded, waitSeconds } = strandedAmong(state.recordings, clock.now())
  if (stranded.length === 0 && waitSeconds !== undefined)
    return { over: false, arrived, awaited, waitSeconds, stranded }
  const begun = { now: clock.now(), isEnd: true }
  if (stranded.length > 0)
    await shows.update(showId, (latest) => ({ ...latest, recordings: withRescues(latest.recordings, stranded, begun) }))
  return { over: true, arrived, awaited, waitSeconds: 0, stranded }
}

function noteObservation(
  { shows, clock }: Pick<Services, 'shows' | 'clock'>,
  before: ShowState,
  seen: Observation,
): Promise<ShowState> {
  const events = eventsBetween(before, mergeObservation(before, seen), clock.now())
  return shows.update(before.showId, (latest) => mergeObservation(latest, seen), ...events)
}

/** Returns true also for a part that was started and never observed. */
const isAwaited = ({ archiveId, status = 'started' }: ShowState['recordings'][number]) =>
  archiveId !== undefined && isUnderWay({ status })

/** Compares the archives with the bucket. Only the last poll does so: the cost of waiting is independent of their number. */
async function noteArrivals(
  { shows, storage }: Pick<Services, 'shows' | 'storage'>,
  state: ShowState,
  { archives }: Observation,
): Promise<number> {
  const begun = state.recordings.filter(({ archiveId }) => archiveId)
  const outcomes = await Promise.all(begun.map((one) => recordingOutcomeOf(storage, one, archiveOf(one, archives))))
  const events = outcomes
    .filter(({ status }) => status !== 'available') // the rescue notes those
    .map(({ name, part, lost }) =>
      lost
        ? { what: 'recording.failed' as const, name, part, detail: lost }
        : { what: 'recording.arrived' as const, name, part },
    )
  const keyOf = (one: ShowState['recordings'][number]) =>
    outcomes.find(({ archiveId, lost }) => archiveId === one.archiveId && lost === undefined)?.key
  const withKey = (one: ShowState['recordings'][number]) => {
    const key = keyOf(one)
    return key === undefined ? one : { ...one, key }
  }
  await shows.update(state.showId, (latest) => ({ ...latest, recordings: latest.recordings.map(withKey) }), ...events)
  return outcomes.filter(({ lost }) => !lost).length
}
