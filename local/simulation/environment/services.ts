import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { createServices, patience, type Services, type Transport } from '../../../lib/services.ts'
import type { Environment } from '../../../lib/tasks/environment.ts'
import { createInProcessHandler, signByClock } from '../../cloud/functions/in-process-handler.ts'
import { REGION } from '../../cloud/intrinsics.ts'
import { addresses } from './addresses.ts'
import type { Network } from './network.ts'

export interface ServicesOptions extends Pick<Transport, 'clock' | 'random'> {
  readonly environment: Environment
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** The services of a function, whose calls leave it by these ways out. */
export function createServicesOn(outside: Pick<Network, 'aws' | 'fetch'>, options: ServicesOptions): Services {
  const { environment, clock, random, credentials } = options
  return createServices(environment, {
    clock,
    random,
    fetch: (input, init) => outside.fetch(new Request(input, init)),
    aws: awsSettings((request) => outside.aws(request, patience.socketTimeout / 1000), credentials),
    prepare: (client) => signByClock(client, clock),
  })
}

/** Of an AWS client in this process. */
export const awsSettings = (
  aws: (request: Request) => Promise<Response>,
  credentials: ServicesOptions['credentials'],
) => ({
  requestHandler: createInProcessHandler(aws) as never,
  maxAttempts: 1, // the SDK's own waits are on no clock of ours; the machines try again
  endpoint: addresses.aws,
  region: REGION,
  credentials,
})

/** The AWS SDK reads this machine's configuration with its first call, and then no more: to be called before time stands still. */
export async function readSdkFiles(): Promise<void> {
  const nothing = async () => new Response(null, { status: 404 })
  const client = new S3Client(awsSettings(nothing, { accessKeyId: 'none', secretAccessKey: 'none' }))
  await client.send(new HeadObjectCommand({ Bucket: 'none', Key: 'none' })).catch(() => {})
}
