import { Readable } from 'node:stream'
import type { Clock } from '../../../lib/clock.ts'

export interface SdkRequest {
  method: string
  protocol: string
  hostname: string
  port?: number
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  body?: unknown
}

export interface SdkResponse {
  statusCode: number
  headers: Record<string, string>
  body: Readable
}

/**
 * Creates a `requestHandler` that calls an endpoint of this process. The client’s timeouts do not apply. `fetch` also
 * receives the option `passed` of the call, if there is one.
 */
export function createInProcessHandler(fetch: (request: Request, passed?: unknown) => Promise<Response>) {
  return {
    async handle(
      request: SdkRequest,
      { abortSignal, passed }: { abortSignal?: unknown; passed?: unknown } = {},
    ): Promise<{ response: SdkResponse }> {
      const signal = abortSignal instanceof AbortSignal ? abortSignal : undefined
      signal?.throwIfAborted()
      const body = request.body instanceof Readable ? request.body : undefined
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      const abort = () => {
        const error = Object.assign(new Error('Request aborted'), { name: 'AbortError' })
        body?.destroy(error)
        reject(error)
      }
      signal?.addEventListener('abort', abort, { once: true })
      try {
        const response = await Promise.race([fetch(toRequest(request), passed), aborted])
        return { response: toSdkResponse(response) }
      } finally {
        signal?.removeEventListener('abort', abort)
        body?.destroy()
      }
    },
    destroy(): void {},
    updateHttpClientConfig(): void {},
    httpHandlerConfigs: () => ({}),
  }
}

/** Makes a client sign with the time of `clock` instead of this machine’s. */
export function signByClock(client: { config: { systemClockOffset: number } }, clock: Clock): void {
  Object.defineProperty(client.config, 'systemClockOffset', {
    get: () => clock.now() - Date.now(),
    // The SDK corrects its offset from the Date of answers, which is not needed here.
    set() {},
  })
}

function toRequest({ method, protocol, hostname, port, path, query = {}, headers, body }: SdkRequest): Request {
  const url = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}${toQuery(query)}`
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  const content = toBody(body ?? '')
  // Adds headers that a socket would send, such as the length of an empty body.
  const length = content instanceof Uint8Array ? { 'content-length': String(content.length) } : {}
  return new Request(url, { method, headers: { ...length, ...headers }, body: content, duplex: 'half' })
}

function toQuery(query: Record<string, string | string[] | null>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => (value === null ? encode(name) : `${encode(name)}=${encode(value)}`)),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns a body. Text becomes bytes, since a Request would add a content type to it. */
function toBody(body: unknown): ReadableStream | Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ReadableStream) return body
  if (body instanceof Readable) return Readable.toWeb(body) as ReadableStream
  throw new TypeError('The body of a request in this process must be text, bytes or a stream.')
}

function toSdkResponse(response: Response): SdkResponse {
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    // Over a socket a client gets a Readable as well.
    body: response.body
      ? Readable.fromWeb(response.body as import('node:stream/web').ReadableStream)
      : Readable.from([]),
  }
}
