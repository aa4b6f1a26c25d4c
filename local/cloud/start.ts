import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Assembly } from './assembly.ts'
import { type Cloud, type CloudOptions, createCloud } from './cloud.ts'
import { deployCustomResources, type Provisional } from './custom-resources/deploy-custom-resources.ts'
import { createWorkerPool } from './functions/worker-pool.ts'
import { createIssuer, type Issuer } from './http/issuer.ts'
import { REGION } from './intrinsics.ts'
import { listen } from './server.ts'

export interface CloudServerOptions {
  readonly assembly: Assembly
  /** Given the addresses at which the cloud listens, the values of the template's parameters. */
  readonly parameters: (addresses: Addresses) => Readonly<Record<string, string>>
  readonly directory: string
  readonly clock: Clock
  /** Port of the HTTP API; 0 takes a free one. */
  readonly apiPort?: number
  /** What functions write, in pieces as they come. */
  readonly log: (functionName: string, text: string) => void
}

export interface Addresses {
  /** `AWS_ENDPOINT_URL` of every client. */
  readonly awsUrl: string
  readonly apiUrl: string
  readonly issuerUrl: string
}

export interface CloudServer extends Addresses {
  readonly cloud: Cloud
  readonly issuer: Issuer
  /** Environment variables with which the AWS SDK finds this cloud. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/**
 * Starts AWS on this machine's loopback: its endpoint, the stack's API and an issuer of tokens, on ports of their own.
 * Custom resources are made before the rest. Whatever it started is closed again when it throws.
 */
export async function startCloud(options: CloudServerOptions): Promise<CloudServer> {
  const { assembly, directory, clock, log } = options
  const started: { close(): Promise<void> }[] = []
  const close = async () => {
    for (const part of started.splice(0).reverse()) await part.close()
  }
  const serve = async (fetch: (request: Request) => Promise<Response>, port = 0) => {
    const server = await listen(fetch, port)
    started.push(server)
    return server.url
  }

  try {
    // Addresses are parameters of the stack, so the servers are there before the cloud that they lead to.
    let provisional: Provisional | undefined
    let cloud: Cloud | undefined
    const starting = () => Response.json({ message: 'The cloud is starting.' }, { status: 503 })
    const apiUrl = await serve(async (request) => cloud?.api(request) ?? starting(), options.apiPort)
    const awsUrl = await serve(async (request) => (cloud ?? provisional)?.aws(request) ?? starting())
    const issuer = await createIssuer(() => issuerUrl)
    const issuerUrl: string = await serve(issuer.fetch)
    const addresses = { awsUrl, apiUrl, issuerUrl }
    const environmentOf = ({ credentials }: Provisional) => ({
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL: awsUrl,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })

    const variables = () => environmentOf((cloud ?? provisional) as Provisional) // there is one when a function is called
    const workers = createWorkerPool({ variables, clock, log })
    started.push(workers)
    const cloudOptions: CloudOptions = {
      assembly,
      parameters: options.parameters(addresses),
      apiUrl,
      awsUrl,
      directory,
      clock,
      randomHex: (digits) =>
        randomBytes(Math.ceil(digits / 2))
          .toString('hex')
          .slice(0, digits),
      random: Math.random,
      invoke: workers.invoke,
      onAccess: (line) => log('AccessLog', `${line}\n`),
      onLost: (name, error) => log(name, `Given up: ${error.message}\n`),
    }
    const customResources = await deployCustomResources(cloudOptions, (one) => {
      provisional = one
    })
    cloud = createCloud({ ...cloudOptions, customResources })
    started.push(cloud) // closed first: executions are aborted before their functions are
    return { ...addresses, cloud, issuer, environment: environmentOf(cloud), close }
  } catch (error) {
    await close()
    throw error
  }
}
