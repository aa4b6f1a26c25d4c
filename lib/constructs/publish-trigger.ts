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

/** Calls the starter for every archive that lands in the bucket, whoever recorded it, and when a publish of one broke off. */
export class PublishTrigger extends Construct {
  constructor(scope: Construct, id: string, { bucket, starter, publishMachineArn }: PublishTriggerProps) {
    super(scope, id)
    new Rule(this, 'Arrival', {
      description: 'An archive has arrived: publish it.',
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
      description: 'A publish execution broke off: start another one.',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        // Most that have failed say why in the manifest and are left as they are; which do not, the starter knows by the error.
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [publishMachineArn] },
      },
      targets: [new AsyncFunctionTarget(starter)],
    })
  }
}
