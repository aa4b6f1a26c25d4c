import { createHash } from 'node:crypto'
import type { Secrets } from '../../aws/secrets.ts'
import type { Clock } from '../../clock.ts'
import { platformEvents, type Receiver, receiverSecrets, receivers } from '../../events/platform-events.ts'
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
import type { PlatformEvents } from './platform-event-bus.ts'

/** Seconds the clocks of platform and receiver may differ. */
const TOLERANCE = 5
/** Milliseconds between reads of the secret after wrong signatures, so that forged callbacks do not cause more reads. */
const MIN_READ_INTERVAL = 60_000

/** The result of verifying a callback: `unregistered` when no callback of this kind is registered. */
type CallbackVerification =
  | { readonly is: 'genuine' | 'unregistered' }
  | { readonly is: 'untrusted'; readonly reason: string }

export type PlatformCallbacks = ReturnType<typeof createPlatformCallbacks>

export function createPlatformCallbacks(secrets: Secrets, secretId: string, clock: Clock) {
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
    /** Checks that the platform has recently signed exactly this body. */
    async verify(receiver: Receiver, received: ReceivedCallback): Promise<CallbackVerification> {
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
function readPlatformCallback(body: Uint8Array): ReadCallback {
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

/** The reason why a callback is refused. The platform does not repeat a callback that is refused with 404 or 422. */
interface Refusal {
  readonly status: 401 | 404 | 422
  readonly detail: string
}

/**
 * Verifies a callback of the platform and queues its event, which `handleCallback` handles. The answer so does not wait for a
 * show's state when a thousand participants join at once. Verifying is first: it costs no call, and forged callbacks fill no queue.
 * @returns undefined when the callback was accepted
 */
export async function acceptCallback(
  services: {
    readonly platformCallbacks: PlatformCallbacks
    readonly platformEvents: PlatformEvents
    readonly clock: Clock
  },
  receiver: Receiver,
  { authorization, body }: { readonly authorization?: string | undefined; readonly body: Buffer },
): Promise<Refusal | undefined> {
  const verification = Object.hasOwn(receivers, receiver)
    ? await services.platformCallbacks.verify(receiver, { authorization, body })
    : ({ is: 'unregistered' } as const)
  if (verification.is === 'unregistered') return { status: 404, detail: 'No callback of this kind is registered here.' }
  if (verification.is === 'untrusted') return { status: 401, detail: verification.reason }

  const posted = readPlatformCallback(body)
  if ('problem' in posted) return { status: 422, detail: posted.problem }
  const { kind, event } = posted
  if (!(receivers[receiver] as readonly string[]).includes(kind))
    return { status: 422, detail: `${receiver} does not take the event ${event.event}.` }
  const id = createHash('sha256').update(body).digest('hex')
  const receivedAt = new Date(services.clock.now()).toISOString()
  const callback = platformEvents[kind].shape.callback.parse(event)
  await services.platformEvents.queue({ version: 1, kind, id, receivedAt, callback } as never)
  return undefined
}
