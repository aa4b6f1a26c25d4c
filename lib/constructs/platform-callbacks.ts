import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { suppress } from './access/nag-suppressions.ts'

/** What the platform's callbacks are verified by. */
export class PlatformCallbacks extends Construct {
  /**
   * `{ "<kind>": "<secret>" }` of the callbacks that are registered at the platform. One for `all` is generated; whoever
   * registers them one by one puts the others in.
   */
  readonly secret: Secret

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.secret = new Secret(this, 'Secret', {
      description: 'Secrets of the callbacks registered at the platform, by the end of their URL: { "all": "…" }',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'all',
        passwordLength: 64,
        excludePunctuation: true,
      },
    })
    suppress(this.secret, 'SMG4', 'The platform holds it as well, where only a person can register another.')
  }
}
