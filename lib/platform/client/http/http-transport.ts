import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Transport } from './transport.ts'

/** Servers are free to close what has been idle for some seconds; this is shorter than most of them wait. */
const IDLE_MS = 4_000

const options = { keepAlive: true, timeout: IDLE_MS }
const httpAgent = new HttpAgent(options)
const httpsAgent = new HttpsAgent(options)

/**
 * Sends requests by Node's own http, over connections that are kept alive and shared by all clients of the process.
 *
 * Node's `fetch` takes three times the processor time for the same.
 */
export const httpTransport: Transport = ({ base, url, method, headers, body }, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const answer = (response: IncomingMessage) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: { get: (name) => first(response.headers[name]) },
        read: (mostBytes) => readMessage(response, mostBytes),
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

/** Base URLs are few, and reading one takes longer than looking it up. */
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

/** By events: iterating would make several promises for each piece. */
const readMessage = (message: IncomingMessage, mostBytes: number) =>
  new Promise<string | undefined>((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    message.on('data', (piece: Buffer) => {
      size += piece.byteLength
      if (size > mostBytes) {
        message.destroy()
        resolve(undefined)
      } else pieces.push(piece)
    })
    message.on('end', () => resolve(decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))))
    message.on('error', reject)
    message.on('close', () => reject(new Error('The connection was closed.'))) // in vain after the end
  })

const first = (value: string | readonly string[] | undefined): string | null =>
  typeof value === 'string' ? value : (value?.[0] ?? null)
