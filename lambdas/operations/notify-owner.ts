import { readRecordedEvent } from '../../lib/operations/notifications/recorded-events.ts'
import { EventNotRecordedError, TaskInputError } from '../../lib/tasks/errors.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler('notifyOwner', async (services, { event: { id, showId, archiveId } }) => {
  const { shows, callbacks, clock, variable } = services
  const { callback } = (await shows.request(showId)).show
  if (!callback) throw new TaskInputError(`The show ${showId} has no callback.`)
  const event = await readRecordedEvent(services, { id, showId, ...(archiveId !== undefined && { archiveId }) })
  if (!event)
    throw new EventNotRecordedError(
      `The records of the show ${showId} do not hold the event ${id}. If they do not follow within minutes, the event on the bus is forged.`,
    )
  if ((await shows.state(showId)).callbackGoneAt) return { id, outcome: 'gone' }
  const answer = await callbacks.post(callback, { ...event, stage: variable('STAGE') })
  if (answer.outcome === 'gone') {
    const goneAt = new Date(clock.now()).toISOString()
    await shows.update(showId, (state) => ({ ...state, callbackGoneAt: state.callbackGoneAt ?? goneAt }))
  }
  return { id, ...answer }
})
