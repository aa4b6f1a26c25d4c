import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { callbackSigning } from '../../../lib/platform/contract/callbacks.ts'
import { readCallbackSecret } from '../environment/stored-secret.ts'
import type { Random } from '../scheduling/random.ts'
import type { World } from '../world.ts'
import type { Asked } from './visitor.ts'

type Reach = Pick<World, 'visitor' | 'cloud' | 'clock'>

/** A callback that the platform did not post, or that this deployment does not know. */
interface Posted extends Pick<Asked, 'expects' | 'says'> {
  /** The last segment of its address. @default all */
  readonly to?: string
  readonly body: string
  /** The body for which it is signed. @default its own */
  readonly of?: string
  /** Seconds from now until it was signed. @default 0 */
  readonly at?: number
  /** The secret by which it is signed, or none. @default that of the deployment */
  readonly by?: string | null
}

const LIFETIME = 300 // seconds
const OTHER = '{"event":"other"}'
const ANOTHER_SECRET = 'x'.repeat(32)
/** Callbacks that are posted in one world. */
const COUNT = 5

const untrusted = { expects: 401, says: 'untrusted-callback' }
const unregistered = { expects: 404, says: 'unregistered-callback' }
const unknown = { expects: 422, says: 'unknown-callback' }

/** Callbacks that Showrunner refuses (docs/problems.md), with the reason of each. */
const refused: readonly Posted[] = [
  { body: OTHER, by: null, ...untrusted },
  { body: OTHER, by: ANOTHER_SECRET, ...untrusted },
  { body: OTHER, of: `${OTHER} `, ...untrusted },
  { body: OTHER, at: -LIFETIME - 7, ...untrusted },
  { body: OTHER, at: 60, ...untrusted },
  { body: OTHER, at: 7, ...untrusted },
  { body: OTHER, at: 4, ...unknown },
  { body: OTHER, at: -LIFETIME - 3, ...unknown },
  { body: OTHER, ...unknown },
  { body: 'none', ...unknown },
  { body: '{}', ...unknown },
  { to: 'archive', body: OTHER, ...unregistered },
  { to: 'other', body: OTHER, ...unregistered },
  { to: 'constructor', body: OTHER, by: null, ...unregistered },
]

/** Posts some callbacks that are refused: they are forged, or have another address or form. */
export async function visitCallbacks({ visitor, cloud, clock }: Reach, random: Random): Promise<void> {
  const secret = await readCallbackSecret({ cloud, clock })
  const first = random.below(refused.length)
  for (let index = 0; index < COUNT; index++) {
    const {
      to = 'all',
      body,
      of = body,
      at = 0,
      by = secret,
      ...asked
    } = refused[(first + index * 3) % refused.length] as Posted
    const authorization = by === null ? undefined : await sign(of, by, Math.floor(clock.now() / 1000) + at)
    await visitor.post(`/callbacks/${to}`, { ...asked, text: body, type: 'application/json', authorization })
  }
}

async function sign(body: string, secret: string, iat: number): Promise<string> {
  const payload_hash = createHash('sha256').update(body).digest('hex')
  const token = await new SignJWT({ iat, exp: iat + LIFETIME, payload_hash })
    .setProtectedHeader({ alg: callbackSigning.algorithm, typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))
  return `${callbackSigning.scheme} ${token}`
}
