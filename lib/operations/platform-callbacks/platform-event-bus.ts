import type { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { createBus } from '../../aws/bus.ts'
import { PLATFORM_EVENT_SOURCE, type PlatformEvent, RECEIVED_CALLBACK_SOURCE } from '../../events/platform-events.ts'

/** What happens at the platform, told on the stack's own bus. */
export interface PlatformEvents {
  /** @throws ServiceError when the bus did not take it */
  tell(event: PlatformEvent): Promise<void>
  /** Has an event handled soon, and told then. @throws ServiceError when the bus did not take it */
  queue(event: PlatformEvent): Promise<void>
}

export function createPlatformEvents(bridge: EventBridgeClient, name: string): PlatformEvents {
  const bus = createBus(bridge, name, PLATFORM_EVENT_SOURCE)
  const received = createBus(bridge, name, RECEIVED_CALLBACK_SOURCE)
  return { tell: (event) => bus.put(event.kind, event), queue: (event) => received.put(event.kind, event) }
}
