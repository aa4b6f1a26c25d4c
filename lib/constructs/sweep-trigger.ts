import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { AsyncFunctionTarget } from './async-target.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

export interface SweepTriggerProps {
  readonly sweeper: ShowrunnerFunction
  readonly showMachineArn: string
}

/** Calls the sweep every five minutes, and at once when a show's execution has ended as it should not. */
export class SweepTrigger extends Construct {
  constructor(scope: Construct, id: string, { sweeper, showMachineArn }: SweepTriggerProps) {
    super(scope, id)
    new Rule(this, 'Regularly', {
      description: 'Ends what executions have left behind.',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new AsyncFunctionTarget(sweeper)],
    })
    new Rule(this, 'ExecutionInterrupted', {
      description: 'A show’s execution broke off: end at once what it has left behind.',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [showMachineArn] },
      },
      targets: [new AsyncFunctionTarget(sweeper)],
    })
  }
}
