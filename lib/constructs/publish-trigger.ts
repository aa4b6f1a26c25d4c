import { Match, Rule } from 'aws-cdk-lib/aws-events'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { archiveFiles } from '../show/state/keys.ts'
import { AsyncFunctionTarget } from './async-target.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

export interface PublishTriggerProps {
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
    new Rule(this, 'ExecutionInterrupted', {
      description: 'Starts publish executions again that were interrupted.',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        // Most failed executions have reported in the manifest and are left. The starter recognizes the others by their error.
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [publishMachineArn] },
      },
      targets: [new AsyncFunctionTarget(starter)],
    })
  }
}
