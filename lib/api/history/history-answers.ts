import { z } from 'zod'
import { delivery } from '../../events/delivery.ts'
import { ownerEvent } from '../../events/owner-events.ts'

const shownEvent = ownerEvent
  .extend({ id: ownerEvent.shape.id.describe('To deduplicate by: a callback of the event has the same id.') })
  .meta({ id: 'OwnerEvent', description: 'An event that the owner of a show is notified of.' })

const shownDelivery = delivery
  .omit({ version: true })
  .extend({
    deliveryId: z.string().describe('Id of the delivery, with which it is replayed.'),
    status: z
      .enum(['pending', 'delivered', 'gone', 'refused', 'failing'])
      .describe(
        '`pending` before the first attempt. `gone` after 410: the show is not notified any more. `refused` is not repeated, `failing` may be.',
      ),
    event: shownEvent.describe('The last body that was sent, or that is sent first.'),
    attempts: delivery.shape.attempts.describe('The newest last.'),
    omitted: delivery.shape.omitted.describe('Number of older attempts that are not kept; absent if there is none.'),
  })
  .meta({ id: 'Delivery', description: 'The delivery of one owner event to the callback of its show.' })
export type ShownDelivery = z.output<typeof shownDelivery>

/** Answers of the routes about the course of a show. */
export const historyAnswers = {
  events: z.object({
    items: z.array(shownEvent).describe('The oldest first; with `after`, only those that the cursor does not include.'),
    cursor: z.string().describe('Pass it as `after` to get only events that are recorded later.'),
  }),
  deliveries: z.object({ items: z.array(shownDelivery).describe('The newest event first.') }),
  replayed: z.object({ showId: z.string(), deliveryId: z.string() }),
} as const
