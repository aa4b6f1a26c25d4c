import { type Clock, realClock } from '../../clock.ts'
import { type ReceivedCallback, verifySignedBody } from './signed-bodies.ts'

export interface CallbackVerifierOptions {
  /** The secret of this callback, which is not the project's. */
  readonly secret: string
  readonly clock?: Clock
  /** Seconds the clocks of platform and receiver may differ; 5 unless told. */
  readonly tolerance?: number
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
  return (received) => verifySignedBody(received, { secret, now: clock.now(), tolerance })
}
