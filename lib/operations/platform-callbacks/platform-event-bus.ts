import type { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { createBus } from '../../aws/bus.ts'
import { PLATFORM_EVENT_SOURCE, type PlatformEvent, RECEIVED_CALLBACK_SOURCE } from '../../events/platform-events.ts'

export type PlatformEvents = ReturnType<typeof createPlatformEvents>

/** Creates the publisher of platform events on a bus. Both methods throw {@link ServiceError} when the bus refuses. */
export function createPlatformEvents(bridge: EventBridgeClient, name: string) {
  const bus = createBus(bridge, name, PLATFORM_EVENT_SOURCE)
  const received = createBus(bridge, name, RECEIVED_CALLBACK_SOURCE)
  return {
    /** Publishes an event that was handled. */
    publish: (event: PlatformEvent) => bus.put(event.kind, event),
    /** Queues a received event to be handled. */
    queue: (event: PlatformEvent) => received.put(event.kind, event),
  }
}
