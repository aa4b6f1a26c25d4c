import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { suppress } from './access/nag-suppressions.ts'

export interface SigningSecretProps {
  readonly description: string
  /** Why it is not rotated automatically. */
  readonly notRotated: string
  /** @default 'secret' */
  readonly key?: string
}

/** A generated signing secret, `{ "<key>": "…" }`. */
export class SigningSecret extends Secret {
  constructor(scope: Construct, id: string, { description, notRotated, key = 'secret' }: SigningSecretProps) {
    super(scope, id, {
      description,
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: key,
        passwordLength: 64,
        excludePunctuation: true,
      },
    })
    suppress(this, 'SMG4', notRotated)
  }
}
