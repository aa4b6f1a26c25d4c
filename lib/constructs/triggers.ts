import { Duration } from 'aws-cdk-lib'
import { type EventBus, Match, Rule, type RuleProps, Schedule } from 'aws-cdk-lib/aws-events'
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { REPLAY_SOURCE } from '../events/delivery.ts'
import { OWNER_EVENT_SOURCE } from '../events/owner-events.ts'
import { RECEIVED_CALLBACK_SOURCE } from '../events/platform-events.ts'
import { archiveFiles } from '../show/state/keys.ts'
import { AsyncFunctionTarget } from './async-target.ts'
import { DeadLetterQueue } from './dead-letter-queue.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

interface PublishTriggerProps {
  readonly bucket: Bucket
  readonly starter: ShowrunnerFunction
  readonly publishMachineArn: string
}

/** Calls the starter for every archive that arrives in the bucket, and when a publish execution was interrupted. */
export class PublishTrigger extends Construct {
  constructor(scope: Construct, id: string, { bucket, starter, publishMachineArn }: PublishTriggerProps) {
    super(scope, id)
    new Rule(this, 'Arrival', {
      description: 'Publishes archives that have arrived.',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [bucket.bucketName] },
          object: { key: Match.anyOf(...Object.values(archiveFiles).map((file) => Match.suffix(`/${file}`))) },
        },
      },
      targets: [new AsyncFunctionTarget(starter)],
    })
    // Most failed executions have reported in the manifest and are left. The starter recognizes the others by their error.
    onInterruption(this, publishMachineArn, {
      description: 'Starts publish executions again that were interrupted.',
      targets: [new AsyncFunctionTarget(starter)],
    })
  }
}

interface SweepTriggerProps {
  readonly sweeper: ShowrunnerFunction
  readonly showMachineArn: string
}

/** Calls the sweep every five minutes, and immediately when a show's execution was interrupted. */
export class SweepTrigger extends Construct {
  constructor(scope: Construct, id: string, { sweeper, showMachineArn }: SweepTriggerProps) {
    super(scope, id)
    new Rule(this, 'Regularly', {
      description: 'Stops what interrupted executions have left running.',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new AsyncFunctionTarget(sweeper)],
    })
    onInterruption(this, showMachineArn, {
      description: 'Stops immediately what an interrupted execution has left running.',
      targets: [new AsyncFunctionTarget(sweeper)],
    })
  }
}

const onInterruption = (scope: Construct, machineArn: string, rule: Pick<RuleProps, 'description' | 'targets'>) =>
  new Rule(scope, 'ExecutionInterrupted', {
    ...rule,
    eventPattern: {
      source: ['aws.states'],
      detailType: ['Step Functions Execution Status Change'],
      detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [machineArn] },
    },
  })

interface NotifyTriggerProps {
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
      eventPattern: { source: [OWNER_EVENT_SOURCE, REPLAY_SOURCE], detail: { stage: [stage], callback: [true] } },
      targets: [new SfnStateMachine(machine, { deadLetterQueue })],
    })
  }
}

interface CallbackTriggerProps {
  readonly bus: EventBus
  readonly callbackHandler: ShowrunnerFunction
}

/** Handles callbacks of the platform after their answer, from Lambda's queue; after three failures they are dead letters. */
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

/** Queries Insights every hour for the usage of shows and days; the next query repeats a failed one. */
export class UsageTrigger extends Construct {
  constructor(scope: Construct, id: string, { recorder }: { recorder: ShowrunnerFunction }) {
    super(scope, id)
    new Rule(this, 'Regularly', {
      description: 'Records usage, once Insights reports it.',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new AsyncFunctionTarget(recorder)],
    })
  }
}
