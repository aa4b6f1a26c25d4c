import { type EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { RECEIVED_CALLBACK_SOURCE } from '../../events/platform-events.ts'
import { AsyncFunctionTarget } from '../async-target.ts'
import type { ShowrunnerFunction } from '../showrunner-function.ts'

export interface CallbackTriggerProps {
  /** The stack's own bus. */
  readonly bus: EventBus
  readonly callbackHandler: ShowrunnerFunction
}

/**
 * Handles callbacks of the platform after they were answered. They wait in Lambda's queue, also while the account is throttled.
 * Those that fail three times go to a dead-letter queue.
 */
export class CallbackTrigger extends Construct {
  constructor(scope: Construct, id: string, { bus, callbackHandler }: CallbackTriggerProps) {
    super(scope, id)
    new Rule(this, 'Received', {
      description: 'Handles callbacks of the platform.',
      eventBus: bus,
      eventPattern: { source: [RECEIVED_CALLBACK_SOURCE] },
      targets: [new AsyncFunctionTarget(callbackHandler)],
    })
  }
}
