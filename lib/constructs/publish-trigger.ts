import { Match, Rule } from 'aws-cdk-lib/aws-events'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { LaterCall } from './later-call.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

/** Calls the starter for every archive that lands in the bucket, whoever recorded it. */
export class PublishTrigger extends Construct {
  constructor(scope: Construct, id: string, { bucket, starter }: { bucket: Bucket; starter: ShowrunnerFunction }) {
    super(scope, id)
    new Rule(this, 'Arrival', {
      description: 'An archive has arrived: publish it.',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [bucket.bucketName] },
          object: { key: Match.anyOf(Match.suffix('/archive.mp4'), Match.suffix('/archive.zip')) },
        },
      },
      targets: [new LaterCall(starter)],
    })
  }
}
