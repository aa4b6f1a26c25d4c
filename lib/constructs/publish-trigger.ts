import { Match, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'

/** Calls the starter for every archive that lands in the bucket, whoever recorded it. */
export class PublishTrigger extends Construct {
  constructor(scope: Construct, id: string, { bucket, starter }: { bucket: Bucket; starter: IFunction }) {
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
      targets: [new LambdaFunction(starter)],
    })
  }
}
