import { SecretValue } from 'aws-cdk-lib'
import { AccessKey, PolicyStatement, User } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'

/** What Showrunner and the video platform know each other by. */
export class PlatformAccess extends Construct {
  /** `{ apiKey, apiSecret }` of the project; whoever deploys puts the value in. */
  readonly projectSecret: Secret
  /** `{ accessKeyId, secretAccessKey }` with which the platform uploads finished archives, and can do nothing else. */
  readonly uploadKey: Secret

  constructor(scope: Construct, id: string, bucket: Bucket) {
    super(scope, id)
    this.projectSecret = new Secret(this, 'ProjectSecret', {
      description: 'Key and secret of the video platform project: { "apiKey": "…", "apiSecret": "…" }',
    })
    const uploader = new User(this, 'Uploader')
    uploader.addToPolicy(
      new PolicyStatement({
        actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
        resources: [bucket.arnForObjects('*/archive.mp4'), bucket.arnForObjects('*/archive.zip')],
      }),
    )
    const key = new AccessKey(this, 'UploaderKey', { user: uploader })
    this.uploadKey = new Secret(this, 'UploadKey', {
      description: 'Key pair with which the video platform uploads archives.',
      secretObjectValue: {
        accessKeyId: SecretValue.unsafePlainText(key.accessKeyId), // an id, no secret
        secretAccessKey: key.secretAccessKey,
      },
    })
  }
}
