import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Assembly } from './assembly.ts'
import { type Cloud, createCloud } from './cloud.ts'
import { createWorkerPool } from './functions/worker-pool.ts'
import { REGION } from './intrinsics.ts'
import { createIssuer, type Issuer } from './issuer.ts'
import { type Listening, listen } from './server.ts'

export interface CloudServerOptions {
  readonly assembly: Assembly
  /** Given the addresses at which the cloud listens, the values of the template's parameters. */
  readonly parameters: (addresses: Addresses) => Readonly<Record<string, string>>
  readonly directory: string
  readonly clock: Clock
  /** Port of the HTTP API; 0 takes a free one. */
  readonly apiPort?: number
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

/** Starts AWS on this machine's loopback: its endpoint, the stack's API and an issuer of tokens, on ports of their own. */
export async function startCloud(options: CloudServerOptions): Promise<CloudServer> {
  let cloud: Cloud | undefined
  const starting = () => Promise.resolve(Response.json({ message: 'The cloud is starting.' }, { status: 503 }))
  const servers: Listening[] = []
  const serve = async (fetch: (request: Request) => Promise<Response>, port = 0) => {
    const server = await listen(fetch, port)
    servers.push(server)
    return server.url
  }
  const closeServers = () => Promise.all(servers.map((server) => server.close()))

  try {
    const issuer = await createIssuer(() => issuerUrl)
    const apiUrl = await serve((request) => cloud?.api(request) ?? starting(), options.apiPort)
    const awsUrl = await serve((request) => cloud?.aws(request) ?? starting())
    const issuerUrl: string = await serve(issuer.fetch)
    const addresses = { awsUrl, apiUrl, issuerUrl }

    const environment: Record<string, string> = { AWS_REGION: REGION, AWS_ENDPOINT_URL: awsUrl, TZ: ':UTC' }
    const workers = createWorkerPool({ environment, log: options.log })
    const running = createCloud({
      assembly: options.assembly,
      parameters: { ApiEndpoint: apiUrl, ...options.parameters(addresses) },
      directory: options.directory,
      clock: options.clock,
      randomHex: (digits) =>
        randomBytes(Math.ceil(digits / 2))
          .toString('hex')
          .slice(0, digits),
      random: Math.random,
      invoke: workers.invoke,
      onLost: (name, error) => options.log(name, `Given up after three attempts: ${error.message}\n`),
    })
    cloud = running
    environment.AWS_ACCESS_KEY_ID = running.credentials.accessKeyId
    environment.AWS_SECRET_ACCESS_KEY = running.credentials.secretAccessKey
    return {
      ...addresses,
      cloud: running,
      issuer,
      environment,
      async close() {
        await closeServers()
        await workers.close()
        await running.close()
      },
    }
  } catch (error) {
    await closeServers()
    throw error
  }
}
