import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { type Clock, realClock } from '../../clock.ts'
import { audienceOf, ownerCallback } from '../../events/owner-callbacks.ts'
import { type OwnerEvent, ownerEvent } from '../../events/owner-events.ts'
import { CallbackError, KeysUnavailableError, verifySignedBody } from '../../platform/client/callbacks/signed-bodies.ts'

export interface ReceivedShowrunnerCallback {
  /** The header `Showrunner-Signature`, which `keys` verify. */
  readonly signature?: string | readonly string[] | undefined
  /** The header `Authorization`, which `secret` verifies: the token alone or after `Bearer`. */
  readonly authorization?: string | undefined
  /** The body as received, byte for byte; parsed and written again it may hash differently. */
  readonly body: string | Uint8Array
}

export interface ShowrunnerCallbackOptions {
  /** The URL that the show names; a callback that was meant for another is refused. Its query does not count. */
  readonly url: string
  /** Address of the deployment's public keys, its `ApiUrl` and `/.well-known/jwks.json`, or the key set itself. */
  readonly keys?: string | URL | JSONWebKeySet
  /**
   * In place of `keys`: the secret that the show names as `callback.secret`, or several of which one is right, while it is
   * being replaced. Each has at least 32 characters.
   */
  readonly secret?: string | readonly string[]
  readonly clock?: Clock
  /**
   * Seconds the clocks of Showrunner and receiver may differ.
   * @default 5
   */
  readonly tolerance?: number
}

/**
 * Verifies a callback of Showrunner's and returns its event. Public keys that an address names are fetched once, then every
 * ten minutes and for a key that is new.
 *
 * It does not remember what it has seen: an event may be delivered twice, so compare its `id` with those that were handled.
 * @throws {@link CallbackError} whose `code` says why it is not to be believed
 * @throws {@link KeysUnavailableError} when the public keys cannot be fetched: answer 503, and the callback is repeated
 * @throws TypeError when an option is invalid
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
    mostAge: ownerCallback.lifetime,
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
    `The callback holds no event that this version reads (${fields}); update the package.`,
  )
}

const secretsOf = ({ secret = [] }: ShowrunnerCallbackOptions) => (typeof secret === 'string' ? [secret] : secret)

function checked(options: ShowrunnerCallbackOptions): ShowrunnerCallbackOptions {
  const { url, keys, tolerance = 5 } = options
  const secrets = secretsOf(options)
  const refuse = (words: string) => {
    throw new TypeError(`verifyShowrunnerCallback: ${words}`)
  }
  if (typeof url !== 'string' || !URL.canParse(url)) refuse('url must be the URL that the show names.')
  if ((keys === undefined) === (secrets.length === 0)) refuse('give either keys or secret.')
  if (secrets.some(({ length }) => length < ownerCallback.minSecretLength))
    refuse(`secret must have at least ${ownerCallback.minSecretLength} characters.`)
  if (!(tolerance >= 0)) refuse('tolerance must not be negative.')
  return options
}

/** Tries one secret after the other, as long as the signature is of another one. */
async function verifyByAny([secret = '', ...others]: readonly string[], verify: (secret: string) => Promise<void>) {
  try {
    await verify(secret)
  } catch (error) {
    const isOfAnother = error instanceof CallbackError && error.code === 'wrong-signature'
    if (!isOfAnother || others.length === 0) throw error
    await verifyByAny(others, verify)
  }
}

/** By address, so that keys are not fetched for each callback. */
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
      throw new KeysUnavailableError(`The public keys cannot be fetched from ${url.href}: is the address right?`, {
        cause,
      })
    }
  }
}

function readJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return undefined // the schema says that it is no event
  }
}
