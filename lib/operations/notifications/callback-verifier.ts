import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { type Clock, realClock } from '../../clock.ts'
import { audienceOf, ownerCallback } from '../../events/owner-callback-format.ts'
import { type OwnerEvent, ownerEvent } from '../../events/owner-events.ts'
import { CallbackError, KeysUnavailableError, verifySignedBody } from '../../platform/client/callbacks/signed-bodies.ts'

/** The parts of a received request that a callback of Showrunner consists of. */
export interface ReceivedShowrunnerCallback {
  /** The header `Showrunner-Signature`, which `keys` verify. */
  readonly signature?: string | readonly string[] | undefined
  /** The header `Authorization`, which `secret` verifies: the token, with or without `Bearer`. */
  readonly authorization?: string | undefined
  /** The received bytes. A body that was parsed and serialized again may have another hash. */
  readonly body: string | Uint8Array
}

/** Options of the verification. It needs either `keys` or `secret`. */
export interface ShowrunnerCallbackOptions {
  /** The callback URL in the show document. A callback for another URL is refused. The query is ignored. */
  readonly url: string
  /** URL of the deployment's public keys, which is `ApiUrl` and `/.well-known/jwks.json`, or the key set itself. */
  readonly keys?: string | URL | JSONWebKeySet
  /** The show's `callback.secret`, at least 32 characters; during a replacement a list of the old and the new. */
  readonly secret?: string | readonly string[]
  /** Source of the time. @default the system's clock */
  readonly clock?: Clock
  /** Maximum seconds between the clocks of Showrunner and the receiver. @default 5 */
  readonly tolerance?: number
}

/**
 * Verifies a callback of Showrunner and returns its event. It caches public keys for ten minutes, and fetches them again for
 * an unknown key.
 *
 * It keeps no record of events. An event may be delivered twice: deduplicate by its `id`.
 * @throws a {@link CallbackError} if the callback is not authentic or has no event that can be parsed; `code` has the reason
 * @throws a {@link KeysUnavailableError} if the public keys cannot be fetched: answer 503, and the event is delivered again
 * @throws TypeError if an option is invalid
 * @example
 * ```ts
 * const keys = `${process.env.SHOWRUNNER_API_URL}/.well-known/jwks.json`
 * const received = { signature: request.headers['showrunner-signature'], body }
 * const { id, event, showId } = await verifyShowrunnerCallback(received, {
 *   url: 'https://app.example.com/showrunner',
 *   keys,
 * })
 * ```
 */
export async function verifyShowrunnerCallback(
  { signature, authorization, body }: ReceivedShowrunnerCallback,
  options: ShowrunnerCallbackOptions,
): Promise<OwnerEvent> {
  const { url, keys, clock = realClock, tolerance = 5 } = checked(options)
  const expected = {
    now: clock.now(),
    tolerance,
    issuer: ownerCallback.issuer,
    audience: audienceOf(url),
    maxAge: ownerCallback.lifetime,
  }
  if (keys !== undefined) {
    const token = typeof signature === 'string' ? signature : undefined
    await verifySignedBody({ authorization: token, body }, { ...expected, secret: finderOf(keys) })
  } else
    await verifyByAny(secretsOf(options), (secret) =>
      verifySignedBody({ authorization, body }, { ...expected, secret }),
    )
  const parsed = ownerEvent.safeParse(readJson(body))
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ')
  throw new CallbackError(
    'unknown-event',
    `The callback has no event that this version can parse (${fields}); update the package.`,
  )
}

const secretsOf = ({ secret = [] }: ShowrunnerCallbackOptions) => (typeof secret === 'string' ? [secret] : secret)

function checked(options: ShowrunnerCallbackOptions): ShowrunnerCallbackOptions {
  const { url, keys, tolerance = 5 } = options
  const secrets = secretsOf(options)
  const refuse = (problem: string) => {
    throw new TypeError(`verifyShowrunnerCallback: ${problem}`)
  }
  if (typeof url !== 'string' || !URL.canParse(url)) refuse('url must be the callback URL of the show.')
  if ((keys === undefined) === (secrets.length === 0)) refuse('pass either keys or secret.')
  if (secrets.some(({ length }) => length < ownerCallback.minSecretLength))
    refuse(`secret must have at least ${ownerCallback.minSecretLength} characters.`)
  if (!(tolerance >= 0)) refuse('tolerance must not be negative.')
  return options
}

/** Tries each secret until one fits the signature. */
async function verifyByAny([secret = '', ...others]: readonly string[], verify: (secret: string) => Promise<void>) {
  try {
    await verify(secret)
  } catch (error) {
    const isOfAnother = error instanceof CallbackError && error.code === 'wrong-signature'
    if (!isOfAnother || others.length === 0) throw error
    await verifyByAny(others, verify)
  }
}

/** Key sets by URL, so that each is not fetched for every callback. */
const remoteSets = new Map<string, JWTVerifyGetKey>()

function finderOf(keys: string | URL | JSONWebKeySet): JWTVerifyGetKey {
  if (typeof keys !== 'string' && !(keys instanceof URL)) return createLocalJWKSet(keys)
  const url = new URL(keys)
  if (url.protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
    throw new TypeError('verifyShowrunnerCallback: keys must be an https address, unless it is on this machine.')
  const finder = remoteSets.get(url.href) ?? fetching(url)
  remoteSets.set(url.href, finder)
  return finder
}

function fetching(url: URL): JWTVerifyGetKey {
  const find = createRemoteJWKSet(url)
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey) throw cause
      throw new KeysUnavailableError(`The public keys cannot be fetched from ${url.href}: check the URL.`, {
        cause,
      })
    }
  }
}

function readJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return undefined // the schema then rejects it
  }
}
