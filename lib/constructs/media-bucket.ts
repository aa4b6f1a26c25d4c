import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type CorsRule,
  HttpMethods,
  type LifecycleRule,
  StorageClass,
} from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { KEEP_DAYS_TAG } from '../publish/manifest/manifest.ts'
import { keepDays } from '../show/document/publishing.ts'
import { suppress } from './access/nag-suppressions.ts'
import { FORMER_VERSIONS, type Settings } from './deploy/settings.ts'

/** Days: more than enough, because callbacks of the platform are refused after minutes. */
const CALLBACK_MARKERS = 7

const closed = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN,
} as const

/** Watch pages read objects by signed links, from any origin. */
const READING_PAGES: CorsRule = {
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedOrigins: ['*'],
  allowedHeaders: ['range'],
  maxAge: 86_400,
}

/** Bytes: smaller objects cost more in an archive class than they save. */
const WORTH_ARCHIVING = 128 * 1024

/** The bucket of uploads, published files and records. It outlives the stack. */
export class MediaBucket extends Bucket {
  constructor(scope: Construct, id: string, { bucket, logs }: Pick<Settings, 'bucket' | 'logs'>) {
    super(scope, id, {
      ...closed,
      versioned: true,
      cors: [READING_PAGES],
      lifecycleRules: [
        { id: 'multipart-leftovers', abortIncompleteMultipartUploadAfter: Duration.days(7) },
        { id: 'former-versions', noncurrentVersionExpiration: Duration.days(FORMER_VERSIONS) },
        { id: 'callback-markers', prefix: 'callbacks/', expiration: Duration.days(CALLBACK_MARKERS) },
        { id: 'markers-of-nothing', expiredObjectDeleteMarker: true },
        ...archiveTier(bucket.archiveAfterDays),
        ...keepDays.map(forgotten),
      ],
    })
    const resource = this.node.defaultChild as CfnBucket
    // The L2's eventBridgeEnabled would add a custom resource in Python for this one property.
    resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } }
    const accessLog = new AccessLog(this, 'AccessLog', { of: this, days: logs.days })
    resource.loggingConfiguration = { destinationBucketName: accessLog.bucketName, logFilePrefix: 'bucket/' }
  }
}

/** Returns the rule of a retention period. Former versions are kept as long: a wrong tag or overwrite destroys nothing. */
const forgotten = (days: number): LifecycleRule => ({
  id: `keep-${days}-days`,
  tagFilters: { [KEEP_DAYS_TAG]: String(days) },
  expiration: Duration.days(days),
  noncurrentVersionExpiration: Duration.days(FORMER_VERSIONS),
})

/** A storage class that is read without a restore. */
const archiveTier = (days: number | undefined): LifecycleRule[] =>
  days === undefined
    ? []
    : [
        {
          id: 'archive-tier',
          objectSizeGreaterThan: WORTH_ARCHIVING,
          transitions: [{ storageClass: StorageClass.GLACIER_INSTANT_RETRIEVAL, transitionAfter: Duration.days(days) }],
        },
      ]

class AccessLog extends Bucket {
  constructor(scope: Construct, id: string, { of, days }: { of: Bucket; days: number }) {
    super(scope, id, { ...closed, lifecycleRules: [{ id: 'old-logs', expiration: Duration.days(days) }] })
    this.addToResourcePolicy(
      new PolicyStatement({
        actions: ['s3:PutObject'],
        principals: [new ServicePrincipal('logging.s3.amazonaws.com')],
        resources: [this.arnForObjects('bucket/*')],
        conditions: {
          ArnLike: { 'aws:SourceArn': of.bucketArn },
          StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
        },
      }),
    )
    suppress(this, 'S1', 'An access log of the access log would log itself.')
  }
}
