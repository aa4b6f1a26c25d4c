import { type LookupAddress, type LookupAllOptions, lookup as lookUp } from 'node:dns'
import { type RequestOptions, request as send } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { TaskInputError } from '../tasks/errors.ts'
import { isPublicAddress } from './public-addresses.ts'

export interface PublicFetchOptions {
  /** Finds the addresses of a host; the system's resolver unless given. */
  readonly lookup?: (
    host: string,
    options: LookupAllOptions,
    done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void
  /** Which addresses may be called; public ones unless given. */
  readonly isAllowed?: (address: string) => boolean
  /** Certificates to trust, in place of the usual authorities. */
  readonly ca?: string
}

/** Statuses whose answers have no body, by the definition of fetch. */
const WITHOUT_BODY = [204, 205, 304]

/**
 * Makes a `fetch` that reaches hosts on the internet and nothing else: by https, at addresses that are public. The name is
 * looked up once, and exactly the addresses that were looked at are connected to, so that a name which changes in between
 * leads nowhere. Redirects are given back and not followed; no connection is used twice.
 *
 * It rejects with TaskInputError when it may not go there, else as the network fails.
 */
export function createPublicFetch({
  lookup = lookUp,
  isAllowed = isPublicAddress,
  ca,
}: PublicFetchOptions = {}): typeof globalThis.fetch {
  const refuseClosed = (host: string, addresses: readonly string[]) => {
    if (addresses.length === 0 || !addresses.every(isAllowed))
      throw new TaskInputError(`${host} is no public address: callbacks go to hosts on the internet only.`)
  }
  /** Asked by the socket that is about to connect, for names only. */
  const lookupAllowed: LookupFunction = (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      try {
        refuseClosed(
          host,
          found.map(({ address }) => address),
        )
      } catch (refusal) {
        return done(refusal as Error, [])
      }
      if (options.all) return done(null, found)
      const [{ address, family } = { address: '', family: 0 }] = found
      done(null, address, family)
    })

  return async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (url.protocol !== 'https:')
      throw new TaskInputError(`Callbacks go by https only: ${url.origin} cannot be called.`)
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal)) refuseClosed(literal, [literal])
    const body = Buffer.from(await request.arrayBuffer())
    const options: RequestOptions = {
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), 'content-length': body.length },
      lookup: lookupAllowed,
      agent: false,
      signal: request.signal,
      ...(ca !== undefined && { ca }),
    }
    return new Promise((resolve, reject) => {
      send(url, options, (message) => {
        const { statusCode: status = 0, headers } = message
        const empty = WITHOUT_BODY.includes(status)
        if (empty) message.resume()
        const content = empty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>)
        resolve(new Response(content, { status, headers: headersOf(headers) }))
      })
        .once('error', reject)
        .end(body)
    })
  }
}

const headersOf = (headers: NodeJS.Dict<string | string[]>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]))
