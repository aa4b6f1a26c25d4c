import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { AsyncFunctionTarget } from './async-target.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

export interface SweepTriggerProps {
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
    new Rule(this, 'ExecutionInterrupted', {
      description: 'Stops immediately what an interrupted execution has left running.',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [showMachineArn] },
      },
      targets: [new AsyncFunctionTarget(sweeper)],
    })
  }
}
