import type { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { OWNER_EVENT_SOURCE, type OwnerEvent } from '../events/owner-events.ts'
import { createBus } from './bus.ts'

/** An event of the owner's, and whether the show names a callback that it has to be posted to as well. */
export type OwnerEventMessage = OwnerEvent & { readonly callback: boolean }

/** Events of shows and recordings: on the stack's own bus under the source `showrunner`, the kind as detail type. */
export interface Events {
  /** @throws ServiceError when the bus did not take it */
  tell(event: OwnerEventMessage): Promise<void>
}

/** @param stage of the deployment; each event carries it */
export function createEvents(bridge: EventBridgeClient, name: string, stage: string): Events {
  const bus = createBus(bridge, name, OWNER_EVENT_SOURCE)
  return { tell: (event) => bus.put(event.event, { ...event, stage }) }
}
