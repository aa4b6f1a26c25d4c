import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { REPLAY_SOURCE } from '../events/delivery.ts'
import { OWNER_EVENT_SOURCE, type OwnerEvent } from '../events/owner-events.ts'
import { ServiceError } from '../tasks/errors.ts'

export type Bus = ReturnType<typeof createBus>

export function createBus(bridge: EventBridgeClient, bus: string, source: string) {
  return {
    /** @throws {@link ServiceError} when the bus did not accept the event */
    async put(detailType: string, detail: object): Promise<void> {
      const entry = { EventBusName: bus, Source: source, DetailType: detailType, Detail: JSON.stringify(detail) }
      const failed = (reason: string | undefined, cause?: unknown) =>
        new ServiceError(`The bus ${bus} did not accept the event ${detailType} (${reason}).`, { cause })
      const answer = await bridge.send(new PutEventsCommand({ Entries: [entry] })).catch((cause: Error) => {
        throw failed(`${cause.name}: ${cause.message}`, cause)
      })
      const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode)
      if (refused) throw failed(refused.ErrorCode)
    },
  }
}

/** An owner event, and whether it is posted to a callback of the show too. */
type OwnerEventMessage = OwnerEvent & { readonly callback: boolean }

export type Events = ReturnType<typeof createEvents>

/**
 * Creates the publisher of owner events on the stack's own bus, with the source `showrunner` and the kind as detail type.
 * @param stage of the deployment, for each event
 */
export function createEvents(bridge: EventBridgeClient, name: string, stage: string) {
  const bus = createBus(bridge, name, OWNER_EVENT_SOURCE)
  const replays = createBus(bridge, name, REPLAY_SOURCE)
  return {
    publish: (event: OwnerEventMessage) => bus.put(event.event, { ...event, stage }),
    /** Has the notification machine post an event to the callback again. No other rule matches it. */
    replay: (event: OwnerEvent) => replays.put(event.event, { ...event, stage, callback: true, replay: true }),
  }
}
