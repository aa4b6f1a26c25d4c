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

/** What Showrunner and the video platform know each other by. */
export class PlatformAccess extends Construct {
  /** `{ apiKey, apiSecret }` of the project; whoever deploys puts the value in. */
  readonly projectSecret: Secret
  /** `{ accessKeyId, secretAccessKey }` with which the platform uploads finished archives, and can do nothing else. */
  readonly uploadKey: Secret
  /** As whom the platform uploads. */
  readonly uploader: User
  /** `{ apiKey, apiSecret }` of the account that owns the project, where the settings name one. */
  readonly accountSecret: ISecret | undefined

  readonly #bucket: Bucket

  constructor(scope: Construct, id: string, { bucket, platform }: PlatformAccessProps) {
    super(scope, id)
    const { accountSecret } = platform
    this.#bucket = bucket
    this.accountSecret = accountSecret ? Secret.fromSecretNameV2(this, 'AccountSecret', accountSecret) : undefined
    this.projectSecret = new Secret(this, 'ProjectSecret', {
      description: 'Key and secret of the video platform project: { "apiKey": "…", "apiSecret": "…" }',
      secretStringValue: SecretValue.unsafePlainText('{}'), // nothing yet, which random letters would not tell
    })
    suppress(
      this.projectSecret,
      'SMG4',
      'Rotated when the settings ask for it, since that needs rights on the account.',
    )
    this.uploader = new User(this, 'Uploader')
    // The first one: once it is rotated, the function makes and deletes keys, and the secret's value is its own.
    const key = new AccessKey(this, 'UploaderKey', { user: this.uploader })
    this.uploadKey = new Secret(this, 'UploadKey', {
      description: 'Key pair with which the video platform uploads archives.',
      secretObjectValue: {
        accessKeyId: SecretValue.unsafePlainText(key.accessKeyId), // an id, no secret
        secretAccessKey: key.secretAccessKey,
      },
    })
  }

  /**
   * Lets the platform put what it uploads below the key of its project, or, where that is known only after the deployment, under
   * the names that archives have, and discard the parts of an upload that failed.
   */
  allowUploads(projectKey: string | undefined): void {
    const patterns = projectKey ? [`${projectKey}/*`] : archivePatterns
    const resources = patterns.map((pattern) => this.#bucket.arnForObjects(pattern))
    // Another storage class would cost more, or could not be read at once. Without the header it is the standard one.
    const conditions = { StringEqualsIfExists: { 's3:x-amz-storage-class': 'STANDARD' } }
    this.uploader.addToPolicy(new PolicyStatement({ actions: ['s3:PutObject'], resources, conditions }))
    this.uploader.addToPolicy(new PolicyStatement({ actions: ['s3:AbortMultipartUpload'], resources }))
    suppressWildcards(this.uploader, resources, 'The platform makes the ids of archives.')
  }
}
