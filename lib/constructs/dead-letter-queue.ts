import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { accept } from './findings.ts'

/**
 * What could not be handed to one function or machine, or was given up by it: each message is the event, so that handing it
 * over once more is all there is to do (docs/runbook.md says how).
 */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14), // the longest there is
    })
    accept(this, 'SQS3', 'It is a dead-letter queue itself, of rules, schedules and functions.')
  }
}
