import type { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import type { OwnerEvent } from '../workflow/owner-events.ts'
import { createBus } from './bus.ts'

/** An event of the owner's, and whether the show names a callback that it has to be posted to as well. */
export type ToldEvent = OwnerEvent & { readonly callback: boolean }

/** What Showrunner tells the world: on the bus under source `showrunner`, the kind as detail type. */
export interface Events {
  /** @throws ServiceError when the bus did not take it */
  tell(event: ToldEvent): Promise<void>
}

export function createEvents(bridge: EventBridgeClient, name: string): Events {
  const bus = createBus(bridge, name, 'showrunner')
  return { tell: (event) => bus.put(event.event, event) }
}
