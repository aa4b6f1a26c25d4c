import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Assembly } from './assembly.ts'
import { type Cloud, type CloudOptions, createCloud } from './cloud.ts'
import { deployCustomResources, type Provisional } from './custom-resources/deploy-custom-resources.ts'
import { createWorkerPool } from './functions/worker-pool.ts'
import { createIssuer, type Issuer } from './http/issuer.ts'
import { REGION } from './intrinsics.ts'
import { type Listener, openListener } from './server.ts'

export interface CloudServerOptions {
  readonly assembly: Assembly
  /** Returns the template’s parameters for the addresses of the cloud. */
  readonly parameters: (addresses: Addresses) => Readonly<Record<string, string>>
  readonly directory: string
  readonly clock: Clock
  /** Server of the HTTP API, which closes with the cloud. @default one on a free port */
  readonly apiListener?: Listener | undefined
  /** Origins of other sites whose pages may call the API, as far as the template allows them. @default none */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Returns true for an object that may be read without a signature, as through a CDN. @default none */
  readonly isPublic?: (key: string) => boolean
  /** Receives log output of functions, in chunks. */
  readonly log: (functionName: string, text: string) => void
}

export interface Addresses {
  /** Value of `AWS_ENDPOINT_URL`. */
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
 * The issuer of the local API’s tokens. It is not an address of this machine: the cloud answers requests for its documents itself,
 * so that tokens remain valid when ports change.
 */
const ISSUER_URL = 'https://issuer.showrunner.invalid'

/**
 * Starts AWS on the loopback: its endpoint and the stack’s API, each on its own port, and a token issuer. Custom resources
 * are deployed before the rest. On an error, everything is closed again.
 */
export async function startCloud(options: CloudServerOptions): Promise<CloudServer> {
  const { assembly, directory, clock, log } = options
  const started: { close(): Promise<void> }[] = []
  const close = async () => {
    for (const part of started.splice(0).reverse()) await part.close()
  }
  const serve = async (
    fetch: (request: Request) => Promise<Response>,
    opened?: Listener,
    origins?: readonly string[],
  ) => {
    const server = opened ?? (await openListener())
    started.push(server)
    server.answer(fetch, origins)
    return server.url
  }

  try {
    // Addresses are parameters of the stack, so the servers start before the cloud.
    let provisional: Provisional | undefined
    let cloud: Cloud | undefined
    const starting = () => Response.json({ message: 'The cloud is starting.' }, { status: 503 })
    const apiUrl = await serve(
      async (request) => cloud?.api(request) ?? starting(),
      options.apiListener,
      options.allowedOrigins,
    )
    const awsUrl = await serve(async (request) => (cloud ?? provisional)?.aws(request) ?? starting())
    const issuer = await createIssuer(() => ISSUER_URL, directory)
    const addresses = { awsUrl, apiUrl, issuerUrl: ISSUER_URL }
    const environmentOf = ({ credentials }: Provisional) => ({
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL: awsUrl,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })

    const variables = () => environmentOf((cloud ?? provisional) as Provisional) // set before any function is called
    const workers = createWorkerPool({ variables, clock, log })
    started.push(workers)
    const cloudOptions: CloudOptions = {
      assembly,
      parameters: options.parameters(addresses),
      apiUrl,
      awsUrl,
      ...(options.isPublic && { isPublic: options.isPublic }),
      directory,
      clock,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return request.url.startsWith(`${ISSUER_URL}/`) ? issuer.fetch(request) : fetch(request)
      },
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
