import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { RECEIVER_SECRET, type World } from '../../support/world.ts'
import { run, runAnyhow } from '../run.ts'

/** How a callback differs from those that the platform posts to the receiver of all callbacks. */
export interface Posting {
  readonly kind?: string
  readonly secret?: string
  /** Seconds since it was signed. */
  readonly age?: number
  /** The signed body, if it differs from the received one. */
  readonly signed?: string
  readonly authorization?: string
  readonly isBase64Encoded?: boolean
}

/** Signs a body as the platform does. @returns the value of its `Authorization` header */
export async function authorizationOf({ clock }: World, text: string, { secret = RECEIVER_SECRET, age = 0 } = {}) {
  const iat = Math.floor(clock.now() / 1000) - age
  const payload_hash = createHash('sha256').update(text).digest('hex')
  const token = await new SignJWT({ iat, exp: iat + 86_400, payload_hash })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
  return `Bearer ${token}`
}

/** Posts a callback as the platform does, through API Gateway, and handles it once it is accepted. */
export async function postCallback(world: World, body: unknown, posting: Posting = {}) {
  const { kind = 'all', secret = RECEIVER_SECRET, age = 0, isBase64Encoded = false } = posting
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const authorization = posting.authorization ?? (await authorizationOf(world, posting.signed ?? text, { secret, age }))
  const answer = await run(world, 'receiveCallback', {
    headers: { authorization },
    pathParameters: { kind },
    body: isBase64Encoded ? Buffer.from(text).toString('base64') : text,
    isBase64Encoded,
  })
  await handleReceived(world)
  return answer
}

/** Does what the rule for received callbacks does. */
export async function handleReceived(world: World): Promise<void> {
  for (const event of world.received.splice(0)) await runAnyhow(world, 'handleCallback', event)
}

/** Registers a receiver of every callback at the platform. */
export async function registerCallbacks({ platform: { apiKey, send } }: World): Promise<void> {
  const target = { url: 'http://127.0.0.1/callbacks/all', secret: RECEIVER_SECRET }
  await send('PUT', `/sandbox/projects/${apiKey}/callbacks`, { body: JSON.stringify(target) })
}
