import type { Services, TaskRun } from '../../../services.ts'
import { describeStateError } from '../../../tasks/state-errors.ts'
import type { TaskInput } from '../../../tasks/tasks.ts'
import { announce } from '../../controls/announce.ts'
import { neverOnAir, outputEventsOf } from '../../plan/output-events.ts'
import type { ShowState } from '../../state/state.ts'
import { firstRetryable } from '../concurrency.ts'
import { mergeObservation } from '../merge-observation.ts'
import { type Observation, tryToObserve } from '../observation.ts'
import { stopResources } from './stop-resources.ts'

/** Notes the end of a show and stops all that it runs. @throws a retryable failure first, if one remains */
export const stopShow: TaskRun<'stopShow', 'shows' | 'platform' | 'clock'> = async (services, input) => {
  const { showId } = input
  const { shows, platform } = services
  const state = await noteEnd(services, input)
  const sessionId = input.sessionId ?? state.sessionId
  if (!sessionId) return { stopped: 0 } // nothing was started

  const { show } = await shows.request(showId)
  const { seen, problem } = await tryToObserve(await platform(), { show, state, sessionId, extent: 'all' })
  if (seen) await noteOutputs(services, state, seen)
  const { stopped, failures, areArchivesStopped } = await stopResources(services, { state, sessionId, seen })
  if (areArchivesStopped && wasRecorded(state)) await announce(services, { showId, sessionId }, 'recordingStopped')
  const problems = problem ? [...failures, problem] : failures // resources that are not noted may still run
  if (problems.length > 0) throw firstRetryable(problems)
  return { stopped }
}

/** Notes the outputs of broadcasts before these stop. */
async function noteOutputs(
  { shows, clock }: Pick<Services, 'shows' | 'clock'>,
  before: ShowState,
  seen: Observation,
): Promise<void> {
  const after = mergeObservation(before, seen)
  const events = [...outputEventsOf(after, clock.now()), ...neverOnAir(after)]
  if (events.length === 0) return
  await shows.update(before.showId, (latest) => mergeObservation(latest, seen), ...events)
}

/** Returns whether the start of a recording was announced, or should have been. */
const wasRecorded = ({ liveAt, recordings }: ShowState) =>
  liveAt !== undefined && recordings.some(({ archiveId }) => archiveId !== undefined)

/** Prevents further starts. The first end and the first reason stay. */
function noteEnd(
  { shows, clock }: Pick<Services, 'shows' | 'clock'>,
  { showId, reason, failure }: TaskInput<'stopShow'>,
): Promise<ShowState> {
  const endedAt = new Date(clock.now()).toISOString()
  const reasonOf = ({ stopAskedAt }: ShowState) => {
    if (stopAskedAt) return 'It was stopped on request.'
    return failure ? describeStateError(failure) : (reason ?? 'It was stopped.')
  }
  return shows.update(
    showId,
    (state) => ({
      ...state,
      status: 'ending',
      endedAt: state.endedAt ?? endedAt,
      endReason: state.endReason ?? reasonOf(state),
      ...(failure && !state.endedAt && { gaveUp: true }),
    }),
    { what: 'show.ending' },
  )
}
