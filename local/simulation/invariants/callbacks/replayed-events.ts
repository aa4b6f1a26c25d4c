import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { Evidence } from '../evidence.ts'

const REPLAY = /^\/shows\/([^/]+)\/deliveries\/([0-9a-f]{32})\/replay$/

interface Deliveries {
  readonly items: readonly { readonly deliveryId: string; readonly event: OwnerEvent }[]
}

/** Checks that a replayed delivery reaches the app with the same id, unless the app does not accept it or the bus is late. */
export function replayedEvents({
  visits,
  callbacks,
  trace,
}: Pick<Evidence, 'visits' | 'callbacks' | 'trace'>): string[] {
  return visits.flatMap(({ address, status, at }) => {
    const [, showId, deliveryId] = REPLAY.exec(address) ?? []
    if (status !== 202) return []
    const event = visits
      .filter((one) => one.status === 200 && one.address.startsWith(`/shows/${showId}/deliveries`))
      .flatMap(({ answer }) => (JSON.parse(answer) as Deliveries).items)
      .find((one) => one.deliveryId === deliveryId)?.event
    const isReceived = callbacks.some((one) => one.at >= at && (JSON.parse(one.body) as OwnerEvent).id === event?.id)
    // A bus may deliver an event hours late, which is a fault.
    const isExcused = trace.some(
      ({ at: later, fault, call }) =>
        later >= at && (fault !== undefined || (call?.name.startsWith('app POST ') && call.status >= 300)),
    )
    return event === undefined || isReceived || isExcused
      ? []
      : [`the event ${event.id} was replayed, and the app did not receive it`]
  })
}
