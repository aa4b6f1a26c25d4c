import type { Services } from '../../lib/services.ts'
import { announce } from '../../lib/show/controls/announce.ts'
import { firstRetryable } from '../../lib/show/run/concurrency.ts'
import { tryToObserve } from '../../lib/show/run/observation.ts'
import { stopResources } from '../../lib/show/run/stop/stop-resources.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import { describeStateError } from '../../lib/tasks/state-errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function stopShow(input: TaskInput<'stopShow'>, services: Services): Promise<TaskOutput<'stopShow'>> {
  const { showId } = input
  const { shows, platform } = services
  const state = await noteEnd(input, services)
  const sessionId = input.sessionId ?? state.sessionId
  if (!sessionId) return { stopped: 0 } // nothing was ever begun

  const { show } = await shows.request(showId)
  const { seen, problem } = await tryToObserve(await platform(), { show, state, sessionId, extent: 'all' })
  const { stopped, failures, areArchivesStopped } = await stopResources(services, { state, sessionId, seen })
  if (areArchivesStopped && wasRecorded(state)) await announce(services, { showId, sessionId }, 'recordingStopped')
  const problems = problem ? [...failures, problem] : failures // what nobody noted may run still
  if (problems.length > 0) throw firstRetryable(problems)
  return { stopped }
}

/** Whether participants were told, or should have been, that they are recorded. */
const wasRecorded = ({ liveAt, recordings }: ShowState) =>
  liveAt !== undefined && recordings.some(({ archiveId }) => archiveId !== undefined)

/** From here on nothing is started any more. The first end and the first reason stay. */
function noteEnd({ showId, reason, failure }: TaskInput<'stopShow'>, { shows, clock }: Services): Promise<ShowState> {
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

export const handler = taskHandler('stopShow', stopShow)
