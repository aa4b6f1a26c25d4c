import { createHash } from 'node:crypto'
import type { Services } from '../lib/services/services.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { idPattern } from '../lib/workflow/names.ts'
import { parseShow } from '../lib/workflow/show.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function acceptShow(
  { executionName, startedAt, request }: TaskInput<'acceptShow'>,
  { records }: Services,
): Promise<TaskOutput<'acceptShow'>> {
  if ('showId' in request) {
    const recorded = await records.readRequest(request.showId)
    if (!recorded) throw new TaskInputError(`There is no show ${request.showId}: post it to /shows first.`)
    return recorded
  }
  const parsed = parseShow(request.show)
  if ('problems' in parsed) {
    const problems = parsed.problems.map(({ path, message }) => `${path || 'the show'} ${message}`)
    throw new TaskInputError(`The show is not valid: ${problems.join('; ')}.`)
  }
  const showId = showIdOf(executionName)
  return records.acceptShow({ version: 1, showId, acceptedAt: startedAt, show: parsed.show })
}

/** An execution started directly names its show; a name that is no id is hashed into one. */
const showIdOf = (executionName: string) =>
  idPattern.test(executionName) ? executionName : createHash('sha256').update(executionName).digest('hex').slice(0, 40)

export const handler = taskHandler('acceptShow', acceptShow)
