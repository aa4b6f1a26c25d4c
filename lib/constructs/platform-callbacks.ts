import type { IEventBus } from 'aws-cdk-lib/aws-events'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'

/** What the platform's callbacks are verified by, and where what they tell goes. */
export class PlatformCallbacks extends Construct {
  /**
   * `{ "<kind>": "<secret>" }` of the callbacks that are registered at the platform. One for `all` is generated; whoever
   * registers them one by one puts the others in.
   */
  readonly secret: Secret
  readonly bus: IEventBus

  constructor(scope: Construct, id: string, { bus }: { bus: IEventBus }) {
    super(scope, id)
    this.bus = bus
    this.secret = new Secret(this, 'Secret', {
      description: 'Secrets of the callbacks registered at the platform, by the end of their URL: { "all": "…" }',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'all',
        passwordLength: 64,
        excludePunctuation: true,
      },
    })
  }
}
