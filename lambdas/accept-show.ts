import { createHash } from 'node:crypto'
import type { Services } from '../lib/services/services.ts'
import type { ShowRequest } from '../lib/workflow/documents/request.ts'
import { ServiceError, TaskInputError } from '../lib/workflow/errors.ts'
import { idPattern } from '../lib/workflow/names.ts'
import { parseShow } from '../lib/workflow/show.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function acceptShow(
  input: TaskInput<'acceptShow'>,
  { records, shows, maintenance }: Services,
): Promise<TaskOutput<'acceptShow'>> {
  const { startedAt, request } = input
  const accepted = 'showId' in request ? await shows.request(request.showId) : await record(input, records)
  const { showId, show } = accepted
  // Whoever recorded the request may have broken off before the state was there.
  if (!(await records.readState(showId))) await records.acceptShow(accepted)
  const state = request.closing
    ? await shows.state(showId)
    : await shows.update(showId, (state) => ({
        ...state,
        status: state.status === 'scheduled' ? 'starting' : state.status,
        startedAt: state.startedAt ?? startedAt,
      }))
  const reason = await maintenance.reason() // after the state is there, where whoever does it looks for running shows
  if (reason) throw new ServiceError(`${reason}: the show ${showId} begins as soon as that is done.`)
  return {
    showId,
    closing: request.closing,
    sessionId: state.sessionId ?? null,
    scenes: show.scenes.map(nameOf),
    dialIns: show.dialIns.map(nameOf),
    recordings: show.recordings.map(nameOf),
    broadcasts: show.broadcasts.map(nameOf),
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
