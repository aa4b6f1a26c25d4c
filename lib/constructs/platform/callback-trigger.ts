import { type EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { RECEIVED_CALLBACK_SOURCE } from '../../events/platform-events.ts'
import { AsyncFunctionTarget } from '../async-target.ts'
import type { ShowrunnerFunction } from '../showrunner-function.ts'

export interface CallbackTriggerProps {
  /** The stack's own. */
  readonly bus: EventBus
  readonly callbackHandler: ShowrunnerFunction
}

/**
 * Has callbacks of the platform handled after they were answered. They wait in Lambda's own queue, also while the account runs
 * as many functions as it may, and those that fail three times in a dead-letter queue.
 */
export class CallbackTrigger extends Construct {
  constructor(scope: Construct, id: string, { bus, callbackHandler }: CallbackTriggerProps) {
    super(scope, id)
    new Rule(this, 'Received', {
      description: 'The platform has called back: handle it.',
      eventBus: bus,
      eventPattern: { source: [RECEIVED_CALLBACK_SOURCE] },
      targets: [new AsyncFunctionTarget(callbackHandler)],
    })
  }
}
