import type { DeliveryAttempt } from '../../lib/events/delivery.ts'
import { readRecordedEvent } from '../../lib/operations/notifications/recorded-events.ts'
import { noteAttempts } from '../../lib/records/delivery-records.ts'
import { EventNotRecordedError, TaskInputError } from '../../lib/tasks/errors.ts'
import { taskHandler } from '../middleware/task.ts'

export const handler = taskHandler(
  'notifyOwner',
  async (services, { event: { id, showId, archiveId, replay } }, log) => {
    const { shows, callbacks, clock, storage, variable } = services
    const { callback } = (await shows.request(showId)).show
    if (!callback) throw new TaskInputError(`The show ${showId} has no callback.`)
    const recorded = await readRecordedEvent(services, { id, showId, ...(archiveId !== undefined && { archiveId }) })
    if (!recorded)
      throw new EventNotRecordedError(
        `The records of the show ${showId} do not hold the event ${id}. If they do not follow within minutes, the event on the bus is forged.`,
      )
    if (!replay && (await shows.state(showId)).callbackGoneAt) return { id, outcome: 'gone' }
    const event = { ...recorded, stage: variable('STAGE') }
    const attempts: DeliveryAttempt[] = []
    const answer = await callbacks
      .post(callback, event, (attempt) => attempts.push(attempt))
      .finally(() =>
        // A callback is not repeated because its record failed.
        noteAttempts(storage, showId, event, attempts).catch((error) => log.warn('not recorded', { error })),
      )
    if (answer.outcome === 'gone') {
      const goneAt = new Date(clock.now()).toISOString()
      await shows.update(showId, (state) => ({ ...state, callbackGoneAt: state.callbackGoneAt ?? goneAt }))
    }
    return { id, ...answer }
  },
)
