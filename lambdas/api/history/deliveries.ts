import type { ShownDelivery } from '../../../lib/api/history/history-answers.ts'
import type { DeliveryAttempt } from '../../../lib/events/delivery.ts'
import { ownerCallback } from '../../../lib/events/owner-callback-format.ts'
import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { listRecordedEvents } from '../../../lib/operations/notifications/list-events.ts'
import { deliveryIdOf, readDelivery } from '../../../lib/records/delivery-records.ts'
import type { Services } from '../../../lib/services.ts'
import { allSettledLimited } from '../../../lib/show/run/concurrency.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, noShow, ok, polledAt, type Routes, showIdOf } from '../../http/request.ts'

export const deliveryRoutes = {
  async 'GET /shows/{id}/deliveries'(event, services, { query: { limit } }) {
    const { showId, events, isGone } = await listDelivered(event, services)
    const newest = events.slice(-limit).reverse()
    const reads = newest.map((one) => () => describe(services, showId, one))
    const items = (await allSettledLimited(reads)).map((one) => {
      if (one.status === 'rejected') throw one.reason
      const { value } = one
      return isGone && value.status === 'pending' ? { ...value, status: 'gone' } : value
    })
    return ok({ items })
  },

  /** Puts the event on the bus again, where only the notification machine receives it. */
  async 'POST /shows/{id}/deliveries/{deliveryId}/replay'(event, services) {
    const { showId, events } = await listDelivered(event, services)
    const deliveryId = event.pathParameters?.deliveryId ?? ''
    const found = events.find(({ id }) => deliveryIdOf(id) === deliveryId)
    if (!found) throw new ApiProblem('unknown-delivery', `The show ${showId} has no delivery ${deliveryId}.`)
    await services.events.replay(found)
    return ok({ showId, deliveryId }, 202, polledAt(`/shows/${showId}/deliveries`))
  },
} satisfies Partial<Routes>

/** Lists the events that are delivered to the callback of a show. @throws {@link ApiProblem} if it names none */
async function listDelivered(event: ApiEvent, services: Services) {
  const showId = showIdOf(event)
  const state = await services.records.readState(showId)
  if (!state) throw noShow(showId)
  if (!(await services.shows.request(showId)).show.callback)
    throw new ApiProblem('no-callback', `The show ${showId} names no callback.`)
  return { showId, events: await listRecordedEvents(services, state), isGone: state.callbackGoneAt !== undefined }
}

async function describe({ storage }: Services, showId: string, event: OwnerEvent): Promise<ShownDelivery> {
  const deliveryId = deliveryIdOf(event.id)
  const stored = await readDelivery(storage, showId, deliveryId)
  if (!stored) return { deliveryId, status: 'pending', event, attempts: [] }
  const { attempts, omitted } = stored
  const status = statusOf(attempts)
  return { deliveryId, status, event: stored.event, attempts, ...(omitted !== undefined && { omitted }) }
}

function statusOf(attempts: readonly DeliveryAttempt[]): ShownDelivery['status'] {
  const status = attempts.at(-1)?.status
  if (status === undefined || status >= 500 || ownerCallback.retryableStatuses.includes(status)) return 'failing'
  if (status === 410) return 'gone'
  return status >= 200 && status < 300 ? 'delivered' : 'refused'
}
