import { SecretValue } from 'aws-cdk-lib'
import { AccessKey, PolicyStatement, User } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { archivePatterns } from '../../show/state/keys.ts'
import type { Settings } from '../deploy/settings.ts'
import { suppress, suppressWildcards } from './nag-suppressions.ts'

export interface PlatformAccessProps {
  readonly bucket: Bucket
  readonly platform: Settings['platform']
}

export class PlatformAccess extends Construct {
  /** `{ apiKey, apiSecret }` of the project; operators set the value. */
  readonly projectSecret: Secret
  /** `{ accessKeyId, secretAccessKey }` of the platform, which only allow uploads of archives. */
  readonly uploadKey: Secret
  /** The IAM user of the platform's uploads. */
  readonly uploader: User
  /** `{ apiKey, apiSecret }` of the account that owns the project, if the settings name it. */
  readonly accountSecret: ISecret | undefined

  readonly #bucket: Bucket

  constructor(scope: Construct, id: string, { bucket, platform }: PlatformAccessProps) {
    super(scope, id)
    const { accountSecret } = platform
    this.#bucket = bucket
    this.accountSecret = accountSecret ? Secret.fromSecretNameV2(this, 'AccountSecret', accountSecret) : undefined
    this.projectSecret = new Secret(this, 'ProjectSecret', {
      description: 'Key and secret of the video platform project: { "apiKey": "…", "apiSecret": "…" }',
      secretStringValue: SecretValue.unsafePlainText('{}'), // empty: a generated value would look like a key
    })
    suppress(
      this.projectSecret,
      'SMG4',
      'Rotated when the settings enable it, since that needs the account’s credentials.',
    )
    this.uploader = new User(this, 'Uploader')
    // The first key. After a rotation, keys and the secret's value belong to the rotation function.
    const key = new AccessKey(this, 'UploaderKey', { user: this.uploader })
    this.uploadKey = new Secret(this, 'UploadKey', {
      description: 'Key pair with which the video platform uploads archives.',
      secretObjectValue: {
        accessKeyId: SecretValue.unsafePlainText(key.accessKeyId), // an id, not a secret
        secretAccessKey: key.secretAccessKey,
      },
    })
  }

  /**
   * Allows the platform to upload below the key of its project or, if that is unknown before the deployment, under the names of
   * archives, and to abort failed uploads.
   */
  allowUploads(projectKey: string | undefined): void {
    const patterns = projectKey ? [`${projectKey}/*`] : archivePatterns
    const resources = patterns.map((pattern) => this.#bucket.arnForObjects(pattern))
    // Other storage classes cost more or need a restore. Without the header it is the standard one.
    const conditions = { StringEqualsIfExists: { 's3:x-amz-storage-class': 'STANDARD' } }
    this.uploader.addToPolicy(new PolicyStatement({ actions: ['s3:PutObject'], resources, conditions }))
    this.uploader.addToPolicy(new PolicyStatement({ actions: ['s3:AbortMultipartUpload'], resources }))
    suppressWildcards(this.uploader, resources, 'The platform makes the ids of archives.')
  }
}
