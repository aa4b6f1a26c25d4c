import { type EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { OWNER_EVENT_SOURCE } from '../events/owner-events.ts'
import { DeadLetterQueue } from './dead-letter-queue.ts'

export interface NotifyTriggerProps {
  /** The stack's own bus. */
  readonly bus: EventBus
  readonly stage: string
  readonly machine: IStateMachine
}

/** Starts an execution for every event of this deployment whose show names a callback. */
export class NotifyTrigger extends Construct {
  constructor(scope: Construct, id: string, { bus, stage, machine }: NotifyTriggerProps) {
    super(scope, id)
    const deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters', { target: machine.stateMachineArn })
    new Rule(this, 'NotifiedByCallback', {
      description: 'Posts events of shows that name a callback.',
      eventBus: bus,
      eventPattern: { source: [OWNER_EVENT_SOURCE], detail: { stage: [stage], callback: [true] } },
      targets: [new SfnStateMachine(machine, { deadLetterQueue })],
    })
  }
}
