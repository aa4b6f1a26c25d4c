import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../../../lib/clock.ts'
import type { Cloud } from '../../cloud/cloud.ts'
import { signByClock } from '../../cloud/functions/in-process-handler.ts'
import { awsClientConfig } from './services.ts'

/** An account and its clock. */
export interface Account {
  readonly cloud: Pick<Cloud, 'aws' | 'credentials' | 'outputs'>
  readonly clock: Clock
}

/** Creates an operator’s client of Secrets Manager. Name the id of each version, because the SDK would draw it without the seed. */
export function createSecretsClient({ cloud, clock }: Account): SecretsManagerClient {
  const client = new SecretsManagerClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  return client
}
