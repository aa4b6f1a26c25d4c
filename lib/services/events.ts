import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { ServiceError } from '../workflow/errors.ts'
import type { OwnerEvent } from '../workflow/owner-events.ts'

/** An event of the owner's, and whether the show names a callback that it has to be posted to as well. */
export type ToldEvent = OwnerEvent & { readonly callback: boolean }

/** What Showrunner tells the world: on the bus under source `showrunner`, the kind as detail type. */
export interface Events {
  /** @throws ServiceError when the bus did not take it */
  tell(event: ToldEvent): Promise<void>
}

export function createEvents(bridge: EventBridgeClient, bus: string): Events {
  return {
    async tell(event) {
      const entry = {
        EventBusName: bus,
        Source: 'showrunner',
        DetailType: event.event,
        Detail: JSON.stringify(event),
      }
      const failed = (reason: string | undefined, cause?: unknown) =>
        new ServiceError(`The bus ${bus} did not take the event ${event.event} (${reason}).`, { cause })
      const answer = await bridge.send(new PutEventsCommand({ Entries: [entry] })).catch((cause: Error) => {
        throw failed(`${cause.name}: ${cause.message}`, cause)
      })
      const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode)
      if (refused) throw failed(refused.ErrorCode)
    },
  }
}
