import { realClock } from '../clock.ts'
import type { KeyedOptions, ShowrunnerOptions } from './options.ts'
import { errorOf, lostError, reasonOf, type ShowrunnerError } from './showrunner-error.ts'

/** A route of the API, as the client calls it. */
export interface Route {
  readonly method: string
  /** Placeholders such as `{id}` are the first arguments of the method. */
  readonly path: string
  /** The argument after those of the path. */
  readonly takes?: 'query' | 'body' | 'text'
  /** Of a text. */
  readonly mediaType?: string
  /** Requests with one Idempotency-Key have their effect once. */
  readonly isKeyed?: true
  /** Its method returns a listing. */
  readonly isList?: true
  /** It needs no token. */
  readonly isPublic?: true
}

export interface Prepared {
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly content?: string | undefined
}

export type Send = (route: Route, prepared: Prepared, options?: KeyedOptions) => Promise<unknown>

const DEFAULT_TIMEOUT_MS = 35_000
const DEFAULT_ATTEMPTS = 4
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000
/** Answers of which a client keeps the last version, so that a repeated read of the same is answered without a body. */
const MAX_VERSIONS = 50
/** Characters of a body that is kept. */
const MAX_TEXT = 256 * 1024
/** Statuses of a server that failed, or that had no answer of another one. */
const OUTAGES: readonly number[] = [502, 503, 504]

/** The outcome of one attempt. */
type Attempt =
  | { readonly answer: unknown }
  | { readonly error: ShowrunnerError; readonly mayRepeat: boolean; readonly retryAfter?: string | null }

/**
 * Returns a function that sends a request, and repeats it where that is harmless.
 * @throws TypeError if an option is invalid
 */
export function createSend(options: ShowrunnerOptions): Send {
  const { attempts = DEFAULT_ATTEMPTS, clock = realClock } = options
  const base = checkUrl(options.url)
  const sending = { ...options, base, versions: createVersions() }
  if (!(Number.isInteger(attempts) && attempts >= 1 && attempts <= 10)) throw new TypeError('attempts must be 1 to 10.')

  return async (route, prepared, { signal: ofCall, idempotencyKey } = {}) => {
    const signal = anyOf(options.signal, ofCall)
    const key = route.isKeyed ? (idempotencyKey ?? randomKey()) : undefined
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted()
      const outcome = await sendOnce(sending, route, prepared, key, signal)
      if ('answer' in outcome) return outcome.answer
      if (!outcome.mayRepeat || attempt === attempts) throw outcome.error
      await clock.sleep(delayAfter(attempt, outcome.retryAfter, clock.now()), signal)
    }
  }
}

/** Creates a cache of the last versions of answers, by their addresses. */
function createVersions() {
  const versions = new Map<string, Version>()
  return {
    of: (address: string): Version | undefined => versions.get(address),
    /** Keeps a version unless it is large. The one that was read longest ago makes room. */
    keep(address: string, version: Version): void {
      versions.delete(address)
      if (version.text.length > MAX_TEXT) return
      versions.set(address, version)
      const [oldest] = versions.keys()
      if (versions.size > MAX_VERSIONS && oldest !== undefined) versions.delete(oldest)
    },
  }
}

interface Version {
  readonly etag: string
  /** The body, so that no caller gets the object that another one may have changed. */
  readonly text: string
}

interface Sending extends ShowrunnerOptions {
  readonly base: string
  readonly versions: ReturnType<typeof createVersions>
}

/** @throws the reason of the caller's signal */
async function sendOnce(
  { base, versions, token, timeout = DEFAULT_TIMEOUT_MS, fetch = (...sent) => globalThis.fetch(...sent) }: Sending,
  route: Route,
  { path, query, content }: Prepared,
  key: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const bearer = route.isPublic ? undefined : typeof token === 'string' ? token : await token()
  const deadline = AbortSignal.timeout(timeout)
  const address = `${base}${path}${queryText(query)}`
  const known = route.method === 'GET' ? versions.of(address) : undefined
  const init: RequestInit = {
    method: route.method,
    headers: {
      accept: 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(content !== undefined && { 'content-type': route.mediaType ?? 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(known && { 'if-none-match': known.etag }),
    },
    ...(content !== undefined && { body: content }),
    // Not `error`, which Workers refuse. A redirect would take the token to another server.
    redirect: 'manual',
    signal: anyOf(deadline, signal) as AbortSignal,
  }
  const isRepeatable = key !== undefined || !['POST', 'PATCH'].includes(route.method)
  try {
    const response = await fetch(address, init)
    const { status, headers } = response
    if (status === 304 && known) {
      versions.keep(address, known)
      return { answer: JSON.parse(known.text) }
    }
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
      return { error: lostError(base, 'it redirects'), mayRepeat: false }
    const text = await response.text()
    const body = parse(text)
    if (response.ok && body !== undefined) {
      const etag = headers.get('etag')
      if (route.method === 'GET' && etag) versions.keep(address, { etag, text })
      return { answer: body }
    }
    const mayRepeat = status === 429 || (OUTAGES.includes(status) && isRepeatable)
    const retryAfter = headers.get('retry-after')
    return { error: errorOf(status, body, base, retryAfter), mayRepeat, retryAfter }
  } catch (error) {
    signal?.throwIfAborted()
    const reason = deadline.aborted ? `within ${timeout / 1000} s` : reasonOf(error)
    return { error: lostError(base, reason, error), mayRepeat: isRepeatable }
  }
}

/** Returns the value of a text in JSON; undefined for another text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new TypeError('url must be the http or https address of the API.')
  return url.replace(/\/+$/, '')
}

function queryText(query: Prepared['query'] = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  const text = given.toString()
  return text && `?${text}`
}

/** Returns the milliseconds before the next attempt: exponential with full jitter, and at least Retry-After. */
function delayAfter(attempt: number, retryAfter: string | null | undefined, now: number): number {
  const header = retryAfter?.trim() ?? ''
  const asked = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  const jittered = Math.ceil(Math.random() * FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.min(MAX_DELAY_MS, Math.max(jittered, Number.isFinite(asked) ? asked : 0))
}

/** Creates 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

function anyOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other)
}
