import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { keepDays } from '../workflow/orders/publishing.ts'
import { KEEP_DAYS_TAG } from '../workflow/retention.ts'

/** The one bucket: what the platform uploads, what is published of it, and the records of shows. Outlives the stack. */
export class MediaBucket extends Bucket {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(7) },
        // What is older than its token would be refused anyhow.
        { id: 'forget-callbacks', prefix: 'callbacks/', expiration: Duration.days(1) },
        ...keepDays.map((days) => ({
          id: `keep-${days}-days`,
          tagFilters: { [KEEP_DAYS_TAG]: String(days) },
          expiration: Duration.days(days),
        })),
      ],
    })
    // The L2's eventBridgeEnabled would add a custom resource in Python for this one property.
    const bucket = this.node.defaultChild as CfnBucket
    bucket.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } }
  }
}
