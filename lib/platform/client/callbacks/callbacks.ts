import { type Clock, realClock } from '../../../clock.ts'
import { type CallbackBody, type CallbackKind, callbacks, kindOfEvent } from '../../contract/callbacks.ts'
import { type Plain, toPlain } from '../answers.ts'
import { readLeniently } from '../lenient-reading.ts'
import { CallbackError, type ReceivedCallback, verifySignedBody } from './signed-bodies.ts'

export interface CallbackVerifierOptions {
  /** The secret of this callback, which is not the project's. */
  readonly secret: string
  readonly clock?: Clock
  /**
   * Seconds the clocks of platform and receiver may differ.
   * @default 5
   */
  readonly tolerance?: number
}

/** An event that this version does not know, as the platform sent it. */
export interface UnknownCallbackEvent {
  readonly event: 'unknown'
  readonly body: Readonly<Record<string, unknown>>
}

/** An event of the platform, discriminated by `event`: `archive`, `broadcast`, `render`, `connectionCreated` and so on. */
export type CallbackEvent = { [Kind in CallbackKind]: Plain<CallbackBody<Kind>> }[CallbackKind] | UnknownCallbackEvent

/**
 * Verifies a callback and returns its event.
 * @throws {@link CallbackError} when it was not signed for exactly this body, has expired, or holds no readable event
 */
export type VerifyCallback = (callback: ReceivedCallback) => Promise<CallbackEvent>

/**
 * Creates a verifier of the platform's callbacks (docs/platform/callbacks.md).
 *
 * It does not remember what it has seen: a callback may be delivered twice, and be repeated by a stranger until its
 * token expires.
 * @throws TypeError when an option is invalid
 */
export function createCallbackVerifier({
  secret,
  clock = realClock,
  tolerance = 5,
}: CallbackVerifierOptions): VerifyCallback {
  if (secret === '') throw new TypeError('createCallbackVerifier: secret must not be empty.')
  if (!(tolerance >= 0)) throw new TypeError('createCallbackVerifier: tolerance must not be negative.')
  return async (received) => {
    await verifySignedBody(received, { secret, now: clock.now(), tolerance })
    return readCallbackEvent(received.body)
  }
}

/**
 * Reads the body of a callback as leniently as the client reads answers.
 * @throws {@link CallbackError} when it is not a JSON object with an `event`, or lacks a value that its event needs
 */
export function readCallbackEvent(text: string | Uint8Array): CallbackEvent {
  const body = parseObject(text)
  if (typeof body?.event !== 'string')
    throw new CallbackError('unknown-event', 'The callback holds no event (event: is required); check who sends it.')
  const kind = kindOfEvent(body.event)
  if (!kind) return { event: 'unknown', body }
  const schema = callbacks[kind].body
  const reading = readLeniently(schema, body)
  if ('value' in reading) return toPlain(schema, reading.value) as CallbackEvent
  const { path, problem } = reading.missing
  throw new CallbackError(
    'unknown-event',
    `The callback ${body.event} cannot be read (${path}: ${problem}); update the package.`,
  )
}

function parseObject(text: string | Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
