import { createHash } from 'node:crypto'
import type { Services, TaskRun } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import type { TaskInput } from '../../../tasks/tasks.ts'
import { idPattern } from '../../document/fields/names.ts'
import { parseShow } from '../../document/show.ts'
import { secondsUntilNextPoll } from '../../plan/poll-interval.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowState } from '../../state/state.ts'
import { isStopped } from '../unless-stopped.ts'

/** Records the show of an execution and its start, and returns what the machine runs or how long it waits. */
export const beginShow: TaskRun<'acceptShow', 'records' | 'shows' | 'rotationLock' | 'clock'> = async (
  services,
  input,
) => {
  const { records, shows } = services
  const { request } = input
  const accepted = 'showId' in request ? await shows.request(request.showId) : await record(services, input)
  const { showId, show } = accepted
  // The call that recorded the request may have been interrupted before it wrote the state.
  if (!(await records.readState(showId))) await records.acceptShow(accepted)
  const { state, waitSeconds } = request.closing
    ? { state: await shows.state(showId), waitSeconds: 0 }
    : await begin(services, showId, input)
  return {
    showId,
    closing: request.closing,
    waitSeconds,
    sessionId: state.sessionId ?? null,
    scenes: show.scenes.map(nameOf),
    dialIns: show.dialIns.map(nameOf),
    recordings: show.recordings.map(nameOf),
    broadcasts: show.broadcasts.map(nameOf),
  }
}

/** Pause as a share of the time waited so far: it reaches the maximum after five minutes. */
const WAIT_SHARE = 1 / 20
/** Seconds. */
const MAX_WAIT = 15

/**
 * Notes the start before it reads the rotation lock. The rotation writes its lock before it reads the shows, so at least one of
 * them sees the other. The wait is noted too, so that the rotation does not wait for a waiting show.
 */
async function begin(
  { shows, rotationLock, clock }: Pick<Services, 'shows' | 'rotationLock' | 'clock'>,
  showId: string,
  { executionName, startedAt }: TaskInput<'acceptShow'>,
): Promise<{ state: ShowState; waitSeconds: number }> {
  const state = await shows.update(showId, ({ waitsFor: _, ...state }) => ({
    ...state,
    status: state.status === 'scheduled' ? 'starting' : state.status,
    ...(!state.startedAt && { startedAt, ...(executionName !== showId && { executionName }) }),
  }))
  const waitsFor = await rotationLock.reason()
  if (waitsFor === undefined || isStopped(state)) return { state, waitSeconds: 0 }
  const waited = (clock.now() - Date.parse(state.startedAt ?? startedAt)) / 1000
  return {
    state: await shows.update(showId, (latest) => ({ ...latest, waitsFor })),
    waitSeconds: Math.min(secondsUntilNextPoll(waited, WAIT_SHARE), MAX_WAIT),
  }
}

/** Records the show that an execution was started with directly. A repetition returns the recorded one. */
async function record(
  { records }: Pick<Services, 'records'>,
  { executionName, startedAt, request }: TaskInput<'acceptShow'>,
): Promise<ShowRequest> {
  const parsed = parseShow('show' in request ? request.show : undefined)
  if ('problems' in parsed) {
    const problems = parsed.problems.map(({ path, message }) => `${path || 'the show'} ${message}`)
    throw new TaskInputError(`The show is not valid: ${problems.join('; ')}.`)
  }
  if (parsed.show.start)
    throw new TaskInputError(
      'The show has a start time, but was started directly: post it to /shows, which schedules it.',
    )
  return records.acceptShow({ version: 1, showId: showIdOf(executionName), acceptedAt: startedAt, show: parsed.show })
}

/** Returns the name of the execution as id of its show; a name that is not a valid id is hashed. */
const showIdOf = (executionName: string) =>
  idPattern.test(executionName) ? executionName : createHash('sha256').update(executionName).digest('hex').slice(0, 40)

const nameOf = ({ name }: { name: string }) => name
