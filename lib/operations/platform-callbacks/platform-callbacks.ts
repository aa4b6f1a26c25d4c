import type { Secrets } from '../../aws/secrets.ts'
import type { Clock } from '../../clock.ts'
import { type Receiver, receiverSecrets } from '../../events/platform-events.ts'
import {
  type CallbackEvent,
  readCallbackEvent,
  type UnknownCallbackEvent,
} from '../../platform/client/callbacks/callbacks.ts'
import {
  CallbackError,
  type ReceivedCallback,
  verifySignedBody,
} from '../../platform/client/callbacks/signed-bodies.ts'
import { type CallbackKind, kindOfEvent } from '../../platform/contract/callbacks.ts'
import { limits } from '../../platform/contract/limits.ts'

/** Seconds the clocks of platform and receiver may differ. */
const TOLERANCE = 5
/** Milliseconds between reads of the secret after wrong signatures, so that forged callbacks do not cause more reads. */
const MIN_READ_INTERVAL = 60_000

/** The result of verifying a callback: `unregistered` when no callback of this kind is registered. */
type CallbackVerification =
  | { readonly is: 'genuine' | 'unregistered' }
  | { readonly is: 'untrusted'; readonly reason: string }

/** The callbacks that are registered at the platform. */
export interface PlatformCallbacks {
  /** Checks that the platform has recently signed exactly this body. */
  verify(receiver: Receiver, received: ReceivedCallback): Promise<CallbackVerification>
}

/** Creates the verifier of the platform's callbacks. */
export function createPlatformCallbacks(secrets: Secrets, secretId: string, clock: Clock): PlatformCallbacks {
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (receiver: Receiver, fresh: boolean) => {
    if (fresh) readAt = clock.now()
    return (await secrets.read(secretId, receiverSecrets, { fresh }))[receiver]
  }
  const problemOf = (received: ReceivedCallback, secret: string): Promise<CallbackError | undefined> => {
    const expected = { secret, now: clock.now(), tolerance: TOLERANCE, maxAge: limits.tokenLifetime.value }
    return verifySignedBody(received, expected).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof CallbackError) return error
        throw error
      },
    )
  }

  return {
    async verify(receiver, received) {
      const mayRead = clock.now() - readAt >= MIN_READ_INTERVAL
      const kept = await read(receiver, false)
      // The secret may have been registered or replaced since.
      const secret = kept ?? (mayRead ? await read(receiver, true) : undefined)
      if (secret === undefined) return { is: 'unregistered' }
      const problem = await problemOf(received, secret)
      if (problem?.code !== 'wrong-signature' || !mayRead) return verificationOf(problem)
      return verificationOf(await problemOf(received, (await read(receiver, true)) ?? secret))
    },
  }
}

/** The event of a callback with its kind, or a message that says why this version cannot read it. */
type ReadCallback =
  | { readonly kind: CallbackKind; readonly event: Exclude<CallbackEvent, UnknownCallbackEvent> }
  | { readonly problem: string }

/** Reads the body of a verified callback. */
export function readPlatformCallback(body: Uint8Array): ReadCallback {
  try {
    const event = readCallbackEvent(body)
    const kind = kindOfEvent(event.event)
    if (kind && event.event !== 'unknown') return { kind, event }
    const name = String((event as UnknownCallbackEvent).body.event).slice(0, 50)
    return { problem: `This version does not know the event ${name}.` }
  } catch (error) {
    if (error instanceof CallbackError) return { problem: error.message }
    throw error
  }
}

const verificationOf = (problem: CallbackError | undefined): CallbackVerification =>
  problem ? { is: 'untrusted', reason: problem.message } : { is: 'genuine' }
