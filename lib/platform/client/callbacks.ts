import { createHash } from 'node:crypto'
import { jwtVerify } from 'jose'
import { type Clock, realClock } from '../../clock.ts'

/** A callback that is not to be believed. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
}

export interface CallbackVerifierOptions {
  /** The secret of this callback, which is not the project's. */
  readonly secret: string
  readonly clock?: Clock
  /** Seconds the clocks of platform and receiver may differ; 5 unless told. */
  readonly tolerance?: number
}

export interface ReceivedCallback {
  /** The header `Authorization`: the token alone or after `Bearer`. */
  readonly authorization: string | undefined
  /** The body as received, byte for byte; parsed and written again it may hash differently. */
  readonly body: string | Uint8Array
}

/** Rejects with a CallbackError unless the callback was signed for exactly this body and is still valid. */
export type VerifyCallback = (callback: ReceivedCallback) => Promise<void>

/**
 * Makes a verifier of the platform's callbacks (source: platform facts, Callbacks).
 *
 * It does not remember what it has seen: a callback may be delivered twice, and be repeated by a stranger until its
 * token expires.
 * @throws TypeError when an option is no good
 */
export function createCallbackVerifier({
  secret,
  clock = realClock,
  tolerance = 5,
}: CallbackVerifierOptions): VerifyCallback {
  if (secret === '') throw new TypeError('createCallbackVerifier: secret must not be empty.')
  if (!(tolerance >= 0)) throw new TypeError('createCallbackVerifier: tolerance must not be negative.')
  const key = new TextEncoder().encode(secret)

  return async ({ authorization, body }) => {
    const token = authorization?.replace(/^Bearer /i, '').trim()
    if (!token) throw new CallbackError('The callback has no Authorization header; it is not from the platform.')
    const { iat, payload_hash } = await verifySignature(token, key, clock.now(), tolerance)
    if (Number(iat) > clock.now() / 1000 + tolerance)
      throw new CallbackError('The callback is signed in the future; check the clock of this machine.')
    if (payload_hash !== createHash('sha256').update(body).digest('hex'))
      throw new CallbackError('The callback is signed for another body; verify the bytes as they were received.')
  }
}

async function verifySignature(token: string, key: Uint8Array, now: number, tolerance: number) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      requiredClaims: ['iat', 'exp', 'payload_hash'],
      currentDate: new Date(now),
      clockTolerance: tolerance,
    })
    return payload
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unreadable token'
    throw new CallbackError(`The callback is not signed as it must be (${reason}); check its secret.`, { cause })
  }
}
