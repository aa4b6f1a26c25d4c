import type { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { OWNER_EVENT_SOURCE, type OwnerEvent } from '../events/owner-events.ts'
import { createBus } from './bus.ts'

/** An owner event, and whether it is posted to a callback of the show too. */
export type OwnerEventMessage = OwnerEvent & { readonly callback: boolean }

/** Owner events on the stack's own event bus, with the source `showrunner` and the kind as detail type. */
export interface Events {
  /** @throws {@link ServiceError} when the bus did not accept the event */
  publish(event: OwnerEventMessage): Promise<void>
}

/**
 * Creates the publisher of owner events.
 * @param stage of the deployment, for each event
 */
export function createEvents(bridge: EventBridgeClient, name: string, stage: string): Events {
  const bus = createBus(bridge, name, OWNER_EVENT_SOURCE)
  return { publish: (event) => bus.put(event.event, { ...event, stage }) }
}
