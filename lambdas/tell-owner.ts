import type { Services } from '../lib/services/services.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function tellOwner(
  { event }: TaskInput<'tellOwner'>,
  { shows, callbacks }: Services,
): Promise<TaskOutput<'tellOwner'>> {
  const { callback } = (await shows.request(event.showId)).show
  if (!callback) throw new TaskInputError(`The show ${event.showId} names no callback.`)
  return { id: event.id, ...(await callbacks.post(callback.url, event)) }
}

export const handler = taskHandler('tellOwner', tellOwner)
