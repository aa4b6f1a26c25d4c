import { type LookupAddress, type LookupAllOptions, lookup as lookUp } from 'node:dns'
import { type RequestOptions, request as send } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { TaskInputError } from '../tasks/errors.ts'
import { isPublicAddress } from './public-addresses.ts'

export interface PublicFetchOptions {
  /** Resolves the addresses of a host. @default `dns.lookup` */
  readonly lookup?: (
    host: string,
    options: LookupAllOptions,
    done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void
  /** Returns whether an address may be called. @default isPublicAddress */
  readonly isAllowed?: (address: string) => boolean
  /** Certificates to trust. @default the authorities of Node */
  readonly ca?: string
}

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304]

/**
 * Creates a `fetch` that only reaches hosts on the internet: by https, at public addresses. The name is resolved once, and
 * exactly the checked addresses are connected to, which defeats DNS rebinding. Redirects are returned and not followed. No
 * connection is reused.
 * @throws {@link TaskInputError} from the returned function, when a URL may not be called
 */
export function createPublicFetch({
  lookup = lookUp,
  isAllowed = isPublicAddress,
  ca,
}: PublicFetchOptions = {}): typeof globalThis.fetch {
  const refuseClosed = (host: string, addresses: readonly string[]) => {
    if (addresses.length === 0 || !addresses.every(isAllowed))
      throw new TaskInputError(`${host} is not a public address: callbacks only go to hosts on the internet.`)
  }
  /** Is called by a socket that is about to connect to a name. */
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
    if (url.protocol !== 'https:') throw new TaskInputError(`Callbacks only use https: ${url.origin} cannot be called.`)
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
