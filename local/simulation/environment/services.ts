import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import {
  createServices,
  createSharedDocuments,
  patience,
  type ServiceDependencies,
  type Services,
} from '../../../lib/services.ts'
import type { Environment } from '../../../lib/tasks/environment.ts'
import { createInProcessHandler, signByClock } from '../../cloud/functions/in-process-handler.ts'
import { REGION } from '../../cloud/intrinsics.ts'
import { addresses } from './addresses.ts'
import type { DirectCloud } from './direct/direct-call.ts'
import { callDirectly, type SendingClient } from './direct/direct-calls.ts'
import { type DirectPlatform, fetchDirectly } from './direct/direct-platform.ts'
import { simulatedMedia } from './media/simulated-media.ts'
import { withUndecodable } from './media/undecodable-media.ts'
import type { Network, Passed } from './network.ts'

export interface ServicesOptions extends Pick<ServiceDependencies, 'clock' | 'random' | 'newId'> {
  /** Answers calls that may skip the protocol of AWS or of the platform. @default none */
  readonly direct?: (DirectCloud & { readonly platform: DirectPlatform }) | undefined
  readonly environment: Environment
  /** Returns true while no picture can be decoded. @default always false */
  readonly isUndecodable?: (() => boolean) | undefined
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** Documents of all functions of this process. They run in turns, so they share what each would keep in its own memory. */
const documents = createSharedDocuments(160_000_000)

/** Creates the services of a function, which call through a network. */
export function createServicesOn(
  outside: Pick<Network, 'aws' | 'fetch'> & Partial<Pick<Network, 'skipProtocol'>>,
  options: ServicesOptions,
): Services {
  const { environment, clock, random, newId, credentials, direct, isUndecodable } = options
  const { skipProtocol } = outside
  return createServices(environment, {
    clock,
    documents,
    media: isUndecodable ? withUndecodable(simulatedMedia, isUndecodable) : simulatedMedia,
    random,
    ...(newId && { newId }),
    fetch:
      direct && skipProtocol
        ? fetchDirectly({ fetch: outside.fetch, skipProtocol }, direct.platform)
        : (input, init) => outside.fetch(new Request(input, init)),
    aws: awsClientConfig(
      (request, passed) => outside.aws(request, patience.socketTimeout / 1000, passed as Passed | undefined),
      credentials,
    ),
    prepare(client) {
      signByClock(client, clock)
      if (direct && skipProtocol) callDirectly(client as unknown as SendingClient, direct, skipProtocol)
    },
  })
}

export const awsClientConfig = (
  aws: (request: Request, passed?: unknown) => Promise<Response>,
  credentials: ServicesOptions['credentials'],
) => ({
  requestHandler: createInProcessHandler(aws) as never,
  maxAttempts: 1, // the SDK does not wait on the simulation’s clock; the machines retry
  endpoint: addresses.aws,
  region: REGION,
  credentials,
})

/** Makes the AWS SDK read this machine’s configuration, which it does once. Call it before the clock is stopped. */
export async function readSdkFiles(): Promise<void> {
  const nothing = async () => new Response(null, { status: 404 })
  const client = new S3Client(awsClientConfig(nothing, { accessKeyId: 'none', secretAccessKey: 'none' }))
  await client.send(new HeadObjectCommand({ Bucket: 'none', Key: 'none' })).catch(() => {})
}
