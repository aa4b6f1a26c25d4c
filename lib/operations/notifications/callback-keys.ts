import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '../../aws/secrets.ts'
import type { Clock } from '../../clock.ts'
import type { CallbackKeySet } from '../../events/owner-callback-format.ts'
import { TaskConfigError } from '../../tasks/errors.ts'

/** The key pairs of callbacks, which event apps verify with the public keys. */
export type CallbackKeys = ReturnType<typeof createCallbackKeys>

/** Milliseconds for which a new key is published before it signs: longer than apps and functions cache keys. */
export const KEY_OVERLAP = 3_600_000
/** Milliseconds after which the versions of the secret are read again. */
const REFRESH = 300_000

const shape = z.object({ secret: z.string().min(32) })

interface KeyPair {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: CallbackKeySet['keys'][number]
}

/**
 * Derives an Ed25519 key pair from each of the two newest versions of a secret, so that no private key is stored.
 * CloudFormation generates the first version; a rotation puts another one. All functions derive the same keys.
 * @param options.secretId id of a secret `{ "secret": "…" }`
 */
export function createCallbackKeys(options: {
  readonly secrets: Pick<Secrets, 'readStage'>
  readonly secretId: string
  readonly clock: Clock
}) {
  const { secrets, secretId, clock } = options
  let known: { readonly at: number; readonly pairs: ReturnType<typeof read> } | undefined

  async function read() {
    const [current, previous] = await Promise.all([
      secrets.readStage(secretId, shape, 'AWSCURRENT'),
      secrets.readStage(secretId, shape, 'AWSPREVIOUS'),
    ])
    if (!current)
      throw new TaskConfigError(`The secret ${secretId} has no current version: put { "secret": "…" } there.`)
    return {
      current: derive(current.value.secret),
      since: current.createdAt,
      ...(previous && { previous: derive(previous.value.secret) }),
    }
  }
  function pairs() {
    if (!known || clock.now() - known.at >= REFRESH) known = { at: clock.now(), pairs: read() }
    const { pairs } = known
    return pairs.catch((error) => {
      known = undefined
      throw error
    })
  }

  return {
    /** Returns the current private key, and its id. */
    async signing(): Promise<KeyPair> {
      const { current, since, previous } = await pairs()
      return previous && clock.now() - since < KEY_OVERLAP ? previous : current
    },
    /** Returns the public keys as a JSON Web Key Set: the current one, and the next or the previous one. */
    async published(): Promise<CallbackKeySet> {
      const { current, previous } = await pairs()
      return { keys: [current, ...(previous ? [previous] : [])].map(({ publicKey }) => publicKey) }
    },
  }
}

/** The bytes before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

function derive(secret: string): KeyPair {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'showrunner callbacks, Ed25519', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const thumbprint = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }) // RFC 7638: these members, in this order
  const kid = createHash('sha256').update(thumbprint).digest('base64url')
  return { kid, privateKey, publicKey: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' } }
}
