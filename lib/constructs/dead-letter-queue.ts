import { CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { suppress } from './access/nag-suppressions.ts'

export interface DeadLetterQueueProps {
  /** ARN of the function or machine that the events were for. */
  readonly target: string
}

/**
 * What could not be handed to one function or machine, or was given up by it: each message is the event, so that handing it
 * over once more is all there is to do. An output of the stack tells `npm run showrunner -- redrive` to whom.
 */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, { target }: DeadLetterQueueProps) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14), // the longest there is
    })
    suppress(this, 'SQS3', 'It is a dead-letter queue itself, of rules, schedules and functions.')
    const output = new CfnOutput(this, 'Redrive', {
      value: Stack.of(this).toJsonString({ queue: this.queueUrl, target }),
      description: 'A dead-letter queue, and to whom its messages are handed over once more.',
    })
    output.overrideLogicalId(`${scope.node.id}DeadLetters`)
  }
}
