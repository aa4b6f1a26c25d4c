import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { MediaBucket } from '../../../lib/constructs/media-bucket.ts'
import { tagsFor } from '../../../lib/publish/manifest/manifest.ts'
import { keepDays } from '../../../lib/show/document/publishing.ts'
import { readTemplate } from './template.ts'

function synthesize(bucket: { archiveAfterDays?: number } = {}) {
  const stack = new Stack()
  new MediaBucket(stack, 'Bucket', { bucket: { undeleteDays: 7, ...bucket }, logs: { days: 30, level: 'INFO' } })
  return readTemplate(Template.fromStack(stack).toJSON())
}
const bucketsOf = (template = synthesize()) => template.of('AWS::S3::Bucket')
const rulesOf = (template = synthesize()): Record<string, unknown>[] =>
  bucketsOf(template).Bucket?.properties.LifecycleConfiguration.Rules

describe('MediaBucket', () => {
  it.each(['Bucket', 'BucketAccessLog'])('is closed to the public, encrypted, and outlives the stack: %s', (id) => {
    expect(bucketsOf()[id]).toMatchObject({
      deletionPolicy: 'Retain',
      properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
      },
    })
    expect(synthesize().of('AWS::S3::BucketPolicy')[`${id}Policy`]?.properties.PolicyDocument.Statement).toContainEqual(
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Resource: [`<${id}.Arn>`, `<${id}.Arn>/*`],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    )
  })

  it('keeps versions, notifies EventBridge of new objects, and has an access log', () => {
    expect(bucketsOf().Bucket?.properties).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
      LoggingConfiguration: { DestinationBucketName: '<BucketAccessLog>', LogFilePrefix: 'bucket/' },
    })
  })

  it('lets S3 write that log for this bucket of this account, and forgets it as other logs', () => {
    const { PolicyDocument } = synthesize().of('AWS::S3::BucketPolicy').BucketAccessLogPolicy?.properties ?? {}
    expect(PolicyDocument.Statement).toContainEqual({
      Effect: 'Allow',
      Principal: { Service: 'logging.s3.amazonaws.com' },
      Action: 's3:PutObject',
      Resource: '<BucketAccessLog.Arn>/bucket/*',
      Condition: {
        ArnLike: { 'aws:SourceArn': '<Bucket.Arn>' },
        StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' },
      },
    })
    expect(bucketsOf().BucketAccessLog?.properties.LifecycleConfiguration.Rules).toMatchObject([
      { ExpirationInDays: 30 },
    ])
  })

  it('forgets uploads that were given up, versions that were replaced, and markers of nothing', () => {
    expect(rulesOf()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } }),
        expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 30 } }),
        expect.objectContaining({ ExpiredObjectDeleteMarker: true }),
      ]),
    )
  })

  it('forgets which callbacks of the platform it has had after a week', () => {
    expect(rulesOf()).toContainEqual(
      expect.objectContaining({ Prefix: 'callbacks/', ExpirationInDays: 7, Status: 'Enabled' }),
    )
  })

  it('deletes each object after the days that its tag says, and former versions 30 days later', () => {
    const expiring = rulesOf().filter(
      ({ ExpirationInDays, TagFilters }) => TagFilters && ExpirationInDays !== undefined,
    )
    expect(expiring).toEqual(
      keepDays.map((days) => ({
        ...{ Id: `keep-${days}-days`, Status: 'Enabled', ExpirationInDays: days },
        NoncurrentVersionExpiration: { NoncurrentDays: 30 },
        TagFilters: Object.entries(tagsFor(days)).map(([Key, Value]) => ({ Key, Value })),
      })),
    )
  })

  it('moves recordings, but no records, to a cheaper storage class after the days of the setting', () => {
    expect(rulesOf().filter(({ Transitions }) => Transitions)).toEqual([])
    expect(rulesOf(synthesize({ archiveAfterDays: 60 }))).toContainEqual({
      ...{ Id: 'archive-tier', Status: 'Enabled', ObjectSizeGreaterThan: 131_072 },
      Transitions: [{ StorageClass: 'GLACIER_IR', TransitionInDays: 60 }],
    })
  })
})
