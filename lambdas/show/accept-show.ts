import { createHash } from 'node:crypto'
import type { Services } from '../../lib/services.ts'
import { idPattern } from '../../lib/show/document/fields/names.ts'
import { parseShow } from '../../lib/show/document/show.ts'
import { secondsUntilNextPoll } from '../../lib/show/plan/poll-interval.ts'
import { isStopped } from '../../lib/show/run/unless-stopped.ts'
import type { ShowRequest } from '../../lib/show/state/request.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function acceptShow(
  input: TaskInput<'acceptShow'>,
  services: Services,
): Promise<TaskOutput<'acceptShow'>> {
  const { records, shows } = services
  const { request } = input
  const accepted = 'showId' in request ? await shows.request(request.showId) : await record(input, records)
  const { showId, show } = accepted
  // Whoever recorded the request may have broken off before the state was there.
  if (!(await records.readState(showId))) await records.acceptShow(accepted)
  const { state, waitSeconds } = request.closing
    ? { state: await shows.state(showId), waitSeconds: 0 }
    : await begin(showId, input, services)
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

/** Of the time waited: after five minutes a look every 15 s. */
const SHARE = 1 / 20
/** Seconds. */
const MAX_WAIT = 15

/**
 * Notes that the show begins, and only then looks whether it has to wait: whoever keeps shows from starting does it the other
 * way round. While it waits that is noted as well, so that a waiting show is not waited for.
 */
async function begin(
  showId: string,
  { executionName, startedAt }: TaskInput<'acceptShow'>,
  { shows, rotationLock, clock }: Pick<Services, 'shows' | 'rotationLock' | 'clock'>,
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
    waitSeconds: Math.min(secondsUntilNextPoll(waited, SHARE), MAX_WAIT),
  }
}

/** Records the show that an execution was started with directly; repeated, it finds the one it recorded. */
async function record(
  { executionName, startedAt, request }: TaskInput<'acceptShow'>,
  records: Services['records'],
): Promise<ShowRequest> {
  const parsed = parseShow('show' in request ? request.show : undefined)
  if ('problems' in parsed) {
    const problems = parsed.problems.map(({ path, message }) => `${path || 'the show'} ${message}`)
    throw new TaskInputError(`The show is not valid: ${problems.join('; ')}.`)
  }
  if (parsed.show.start)
    throw new TaskInputError('The show names when it starts, but was started: post it to /shows, which schedules it.')
  return records.acceptShow({ version: 1, showId: showIdOf(executionName), acceptedAt: startedAt, show: parsed.show })
}

/** An execution started directly names its show; a name that is no id is hashed into one. */
const showIdOf = (executionName: string) =>
  idPattern.test(executionName) ? executionName : createHash('sha256').update(executionName).digest('hex').slice(0, 40)

const nameOf = ({ name }: { name: string }) => name

export const handler = taskHandler('acceptShow', acceptShow)
