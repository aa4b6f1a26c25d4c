import { CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { suppress } from './access/nag-suppressions.ts'

export interface DeadLetterQueueProps {
  /** ARN of the function or machine that the events were for. */
  readonly target: string
}

/** Events that a function or machine did not receive or failed to handle. `npm run showrunner -- redrive` sends them again. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, { target }: DeadLetterQueueProps) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14), // the maximum of SQS
    })
    suppress(this, 'SQS3', 'It is itself the dead-letter queue of rules, schedules and functions.')
    const output = new CfnOutput(this, 'Redrive', {
      value: Stack.of(this).toJsonString({ queue: this.queueUrl, target }),
      description: 'A dead-letter queue, and the target to which its messages are sent again.',
    })
    output.overrideLogicalId(`${scope.node.id}DeadLetters`)
  }
}
