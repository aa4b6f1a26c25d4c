import type { Services } from '../lib/services/services.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function tellOwner(
  { event }: TaskInput<'tellOwner'>,
  { shows, callbacks, clock }: Services,
): Promise<TaskOutput<'tellOwner'>> {
  const { showId, id } = event
  const { callback } = (await shows.request(showId)).show
  if (!callback) throw new TaskInputError(`The show ${showId} names no callback.`)
  if ((await shows.state(showId)).callbackGoneAt) return { id, outcome: 'gone' }
  const answer = await callbacks.post(callback.url, event)
  if (answer.outcome === 'gone') {
    const goneAt = new Date(clock.now()).toISOString()
    await shows.update(showId, (state) => ({ ...state, callbackGoneAt: state.callbackGoneAt ?? goneAt }))
  }
  return { id, ...answer }
}

export const handler = taskHandler('tellOwner', tellOwner)
