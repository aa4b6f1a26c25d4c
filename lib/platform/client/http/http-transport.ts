import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Transport } from './transport.ts'

/** Shorter than the idle timeout of most servers, which would otherwise close a connection while a request is sent. */
const IDLE_MS = 4_000

const options = { keepAlive: true, timeout: IDLE_MS }
const httpAgent = new HttpAgent(options)
const httpsAgent = new HttpsAgent(options)

/** Sends requests with node:http over shared connections: `fetch` takes three times the time (`npm run bench -- platform`). */
export const httpTransport: Transport = ({ base, url, method, headers, body }, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const answer = (response: IncomingMessage) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: { get: (name) => first(response.headers[name]) },
        read: (maxBytes) => readMessage(response, maxBytes),
      })
    const { origin, address, isSecure } = placeOf(base)
    const path = url.slice(origin.length)
    const request = isSecure
      ? requestHttps({ ...address, agent: httpsAgent, method, path, headers }, answer)
      : requestHttp({ ...address, agent: httpAgent, method, path, headers }, answer)
    request.on('error', reject)
    signal.addEventListener('abort', () => request.destroy(), { once: true })
    request.end(body)
  })

interface Place {
  readonly origin: string
  readonly address: { readonly hostname: string; readonly port: string }
  readonly isSecure: boolean
}

const places = new Map<string, Place>()

/** Caches the few base URLs, because parsing takes longer than the lookup. */
function placeOf(base: string): Place {
  const known = places.get(base)
  if (known) return known
  const { origin, hostname, port, protocol } = new URL(base)
  const place = {
    origin,
    address: { hostname: hostname.replace(/^\[|\]$/g, ''), port },
    isSecure: protocol === 'https:',
  }
  places.set(base, place)
  return place
}

const decoder = new TextDecoder()

/** Uses events, because iteration creates several promises per chunk. */
const readMessage = (message: IncomingMessage, maxBytes: number) =>
  new Promise<string | undefined>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > maxBytes) {
        message.destroy()
        resolve(undefined)
      } else chunks.push(chunk)
    })
    message.on('end', () => resolve(decoder.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))))
    message.on('error', reject)
    message.on('close', () => reject(new Error('The connection was closed.'))) // has no effect after the end
  })

const first = (value: string | readonly string[] | undefined): string | null =>
  typeof value === 'string' ? value : (value?.[0] ?? null)
