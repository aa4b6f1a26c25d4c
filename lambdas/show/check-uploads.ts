import type { Services } from '../../lib/services.ts'
import { eventsBetween } from '../../lib/show/plan/events-between.ts'
import { secondsUntilNextPoll } from '../../lib/show/plan/poll-interval.ts'
import { strandedAmong, withRescues } from '../../lib/show/plan/rescue-policy.ts'
import { archiveOf, isUnderWay, outcomeOf } from '../../lib/show/run/finish/recording-outcomes.ts'
import { mergeObservation } from '../../lib/show/run/merge-observation.ts'
import { type Observation, tryToObserve } from '../../lib/show/run/observation.ts'
import { stopResources } from '../../lib/show/run/stop/stop-resources.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** Of the time waited: after ten minutes a look every 30 s, in a day about 175 looks. */
const SHARE = 1 / 20

export async function checkUploads(
  { showId, ...input }: TaskInput<'checkUploads'>,
  services: Services,
): Promise<TaskOutput<'checkUploads'>> {
  const { shows, platform, clock } = services
  const [{ show }, before] = await Promise.all([shows.request(showId), shows.state(showId)])
  const sessionId = input.sessionId ?? before.sessionId
  if (!sessionId) return { over: true, arrived: 0, awaited: 0, waitSeconds: 0, stranded: [] }

  const { seen } = await tryToObserve(await platform(), { show, state: before, sessionId, extent: 'all' })
  const state = seen ? await note(before, seen, services) : before
  await stopResources(services, { state, sessionId, seen }) // what could not be stopped is tried again at the next look

  const { arrived, awaited } = seen
    ? countOf(state)
    : { arrived: 0, awaited: state.recordings.filter(isAwaited).length }
  const isAll = seen !== undefined && awaited === 0
  const waited = (clock.now() - Date.parse(state.endedAt ?? state.acceptedAt)) / 1000
  if (!isAll && waited < show.uploadWait) {
    const waitSeconds = Math.min(secondsUntilNextPoll(waited, SHARE), Math.ceil(show.uploadWait - waited))
    return { over: false, arrived, awaited, waitSeconds, stranded: [] }
  }
  const settled = seen && isAll ? await noteArrivals(state, seen, services) : arrived
  const { stranded, waitSeconds } = strandedAmong(state.recordings, clock.now())
  if (stranded.length > 0) await noteRescues(stranded, showId, services)
  else if (waitSeconds !== undefined) return { over: false, arrived: settled, awaited, waitSeconds, stranded }
  return { over: true, arrived: settled, awaited, waitSeconds: 0, stranded }
}

function noteRescues(stranded: TaskOutput<'checkUploads'>['stranded'], showId: string, { shows, clock }: Services) {
  const begun = { now: clock.now(), isEnd: true }
  return shows.update(showId, (latest) => ({ ...latest, recordings: withRescues(latest.recordings, stranded, begun) }))
}

function note(before: ShowState, seen: Observation, { shows, clock }: Services): Promise<ShowState> {
  const happened = eventsBetween(before, mergeObservation(before, seen), clock.now())
  return shows.update(before.showId, (latest) => mergeObservation(latest, seen), ...happened)
}

/** Also where a part was begun and never seen. */
const isAwaited = ({ archiveId, status = 'started' }: ShowState['recordings'][number]) =>
  archiveId !== undefined && isUnderWay({ status })

const countOf = ({ recordings }: ShowState) => ({
  arrived: recordings.filter(({ status }) => status === 'uploaded').length,
  awaited: recordings.filter(isAwaited).length,
})

/** Only at the end is the bucket asked, so that waiting costs the same however many recordings there are. */
async function noteArrivals(
  state: ShowState,
  { archives }: Observation,
  { shows, storage }: Services,
): Promise<number> {
  const begun = state.recordings.filter(({ archiveId }) => archiveId)
  const fates = await Promise.all(begun.map((one) => outcomeOf(one, archiveOf(one, archives), storage)))
  const outcomes = fates
    .filter(({ status }) => status !== 'available') // whoever rescues those says so
    .map(({ name, part, lost }) => ({
      what: lost ? ('recording.failed' as const) : ('recording.arrived' as const),
      ...{ name, part },
      ...(lost && { detail: lost }),
    }))
  await shows.note(state.showId, ...outcomes)
  return fates.filter(({ lost }) => !lost).length
}

export const handler = taskHandler('checkUploads', checkUploads)
