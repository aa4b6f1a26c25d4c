import { Rule } from 'aws-cdk-lib/aws-events'
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { DeadLetterQueue } from './dead-letter-queue.ts'

/** Starts an execution for every event that a show's callback has to be told of. */
export class TellTrigger extends Construct {
  constructor(scope: Construct, id: string, { machine }: { machine: IStateMachine }) {
    super(scope, id)
    const deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters', { target: machine.stateMachineArn })
    new Rule(this, 'ToldByCallback', {
      description: 'An event of a show that names a callback: post it.',
      eventPattern: { source: ['showrunner'], detail: { callback: [true] } },
      targets: [new SfnStateMachine(machine, { deadLetterQueue })],
    })
  }
}
