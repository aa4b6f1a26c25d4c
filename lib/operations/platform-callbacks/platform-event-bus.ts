import type { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { createBus } from '../../aws/bus.ts'
import { PLATFORM_EVENT_SOURCE, type PlatformEvent, RECEIVED_CALLBACK_SOURCE } from '../../events/platform-events.ts'

export interface PlatformEvents {
  /** Publishes an event that was handled. @throws {@link ServiceError} when the bus did not accept it */
  publish(event: PlatformEvent): Promise<void>
  /** Queues a received event to be handled. @throws {@link ServiceError} when the bus did not accept it */
  queue(event: PlatformEvent): Promise<void>
}

/** Creates the publisher of platform events on a bus. */

export function createPlatformEvents(bridge: EventBridgeClient, name: string): PlatformEvents {
  const bus = createBus(bridge, name, PLATFORM_EVENT_SOURCE)
  const received = createBus(bridge, name, RECEIVED_CALLBACK_SOURCE)
  return { publish: (event) => bus.put(event.kind, event), queue: (event) => received.put(event.kind, event) }
}
