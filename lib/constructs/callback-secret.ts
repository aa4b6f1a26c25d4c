import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { accept } from './findings.ts'

/** `{ "secret": "…" }`, with which callbacks are signed: generated, and known to nobody but those who may read it. */
export class CallbackSecret extends Secret {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Signs callbacks to event apps, which verify them by it.',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'secret',
        passwordLength: 64,
        excludePunctuation: true,
      },
    })
    accept(this, 'SMG4', 'Event apps hold it as well: only whoever runs them can replace it, in both places.')
  }
}
