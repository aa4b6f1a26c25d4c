import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3'
import { type Clock, createSteppedClock, realClock, type SteppedClock } from '../../../../lib/clock.ts'
import { createInProcessHandler, signByClock } from '../../../../local/cloud/functions/in-process-handler.ts'
import { createS3, type ObjectCreated, type S3 } from '../../../../local/cloud/s3/s3.ts'
import { listen } from '../../../../local/cloud/server.ts'

export const ACCESS_KEY = 'AKLAPTOP'
export const SECRET = 'not/a+secret'
export const BUCKET = 'media'

/** One S3 with a client that speaks to it, whichever way. */
export interface Endpoint {
  s3: S3
  clock: Clock
  url: string
  client: S3Client
  events: ObjectCreated[]
  /** Another client of the same endpoint. */
  connect(config: S3ClientConfig): S3Client
  /** Sends a request the SDK would not make. */
  send(request: Request): Promise<Response>
  /** Names of the files that hold bytes; only where there are files. */
  blobs?(): string[]
  close(): Promise<void>
}

export interface SteppedEndpoint extends Endpoint {
  clock: SteppedClock
}

const secretOf = (accessKeyId: string) => (accessKeyId === ACCESS_KEY ? SECRET : undefined)
const CREDENTIALS = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET }

export async function inMemory(): Promise<SteppedEndpoint> {
  const clock = createSteppedClock(Date.UTC(2030, 0, 1))
  const s3 = createS3({ clock, secretOf })
  const url = 'http://s3.invalid'
  const connect = (config: S3ClientConfig) => {
    const client = new S3Client({
      ...base(url),
      requestHandler: createInProcessHandler(s3.fetch) as NonNullable<S3ClientConfig['requestHandler']>,
      ...config,
    })
    signByClock(client, clock)
    return client
  }
  const close = async () => s3.close()
  return { ...opened(s3), s3, clock, url, client: connect({}), connect, send: s3.fetch, close }
}

export async function inFiles(): Promise<Endpoint> {
  const directory = mkdtempSync(join(tmpdir(), 's3-test-'))
  const s3 = createS3({ directory, clock: realClock, secretOf })
  const { url, close } = await listen(s3.fetch)
  const clients: S3Client[] = []
  const connect = (config: S3ClientConfig) => {
    const client = new S3Client({ ...base(url), ...config })
    clients.push(client)
    return client
  }
  return {
    ...opened(s3),
    s3,
    clock: realClock,
    url,
    client: connect({}),
    connect,
    send: (request) => fetch(request),
    blobs: () => readdirSync(join(directory, 'blobs')),
    async close() {
      for (const client of clients) client.destroy()
      await close()
      s3.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Everything the SDK can do is tried both ways. */
export const BACKENDS = [
  ['in memory, called in this process', inMemory],
  ['in files, served over loopback', inFiles],
] as const

const base = (endpoint: string): S3ClientConfig => ({
  endpoint,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: CREDENTIALS,
  maxAttempts: 1,
})

function opened(s3: S3): { events: ObjectCreated[] } {
  s3.createBucket(BUCKET)
  const events: ObjectCreated[] = []
  s3.onObjectCreated((event) => events.push(event))
  return { events }
}

/** Returns the SDK’s report of a refusal: name and status. */
export async function refusal(
  act: Promise<unknown>,
): Promise<{ name: string; status: number | undefined; message: string }> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error
    return { name: error.name, status: error.$metadata.httpStatusCode, message: error.message }
  }
  throw new Error('It was not refused.')
}

/** The error code of a raw answer. */
export async function codeOf(response: Response): Promise<string> {
  return /<Code>(.*)<\/Code>/.exec(await response.text())?.[1] ?? `status ${response.status}`
}

/** Bytes that repeat in no short cycle, so that a lost or doubled piece shows. */
export function pattern(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at + 4 <= length; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    bytes.writeInt32LE(state, at)
  }
  return bytes
}

interface Signable {
  method: string
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string
}

/** Signs a request in its headers with the SDK’s signer. */
export async function sign({ client, url, clock }: Endpoint, request: Signable): Promise<Request> {
  const signer = await client.config.signer()
  const signed = await signer.sign(prepare(url, request), { signingDate: new Date(clock.now()) })
  const body = request.body === undefined ? {} : { body: Buffer.from(request.body) }
  return new Request(`${url}${signed.path}${queryOf(signed.query)}`, {
    method: request.method,
    headers: signed.headers,
    ...body,
  })
}

/** Presigns a URL with the SDK’s signer. */
export async function presign({ client, url, clock }: Endpoint, request: Signable, expiresIn: number): Promise<string> {
  const signer = await client.config.signer()
  if (!('presign' in signer)) throw new Error('The signer does not presign.')
  const presigner = signer as typeof signer & {
    presign(request: unknown, options: object): Promise<{ path: string; query?: object }>
  }
  const prepared = prepare(url, {
    ...request,
    headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...request.headers },
  })
  const options = { expiresIn, signingDate: new Date(clock.now()), unhoistableHeaders: new Set<string>() }
  const signed = await presigner.presign(prepared, options)
  return `${url}${signed.path}${queryOf(signed.query as Record<string, string>)}`
}

function prepare(url: string, { method, path, query = {}, headers = {}, body }: Signable) {
  const { hostname, port, host } = new URL(url)
  return {
    method,
    protocol: 'http:',
    hostname,
    ...(port ? { port: Number(port) } : {}),
    path,
    query,
    headers: { host, ...headers },
    body,
  }
}

const queryOf = (query: Record<string, string | string[] | null> = {}) =>
  `?${Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')}`
