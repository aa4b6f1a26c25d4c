import { type Clock, realClock } from '../../../clock.ts'
import { type CallbackBody, type CallbackKind, callbacks, kindOfEvent } from '../../contract/callbacks.ts'
import { type Normalized, normalize } from '../answers.ts'
import { parseLeniently } from '../lenient-parsing.ts'
import { CallbackError, type ReceivedCallback, verifySignedBody } from './signed-bodies.ts'

export interface CallbackVerifierOptions {
  /** The secret of the callback, which is not the project's secret. */
  readonly secret: string
  /** Source of the time. @default the system's clock */
  readonly clock?: Clock
  /** Maximum seconds between the clocks of the platform and the receiver. @default 5 */
  readonly tolerance?: number
}

/** An event of a newer platform, unchanged. */
export interface UnknownCallbackEvent {
  readonly event: 'unknown'
  readonly body: Readonly<Record<string, unknown>>
}

/** An event of the platform, discriminated by `event`: `archive`, `broadcast`, `render`, `connectionCreated` and so on. */
export type CallbackEvent =
  | { [Kind in CallbackKind]: Normalized<CallbackBody<Kind>> }[CallbackKind]
  | UnknownCallbackEvent

/**
 * Verifies a callback and returns its event.
 * @throws a {@link CallbackError} if it is not signed for this exact body, has expired, or has no event that can be parsed
 */
export type VerifyCallback = (callback: ReceivedCallback) => Promise<CallbackEvent>

/**
 * Creates a verifier of the platform's callbacks (docs/platform/callbacks.md).
 *
 * It keeps no record of callbacks. The platform may deliver a callback twice, and anyone who has it can repeat it until its
 * token expires: deduplicate by the ids of the event.
 * @throws TypeError if an option is invalid
 * @example
 * ```ts
 * const verify = createCallbackVerifier({ secret: process.env.CALLBACK_SECRET ?? '' })
 * const event = await verify({ authorization: request.headers.authorization, body })
 * const uploadedArchive = event.event === 'archive' && event.status === 'uploaded' ? event.id : undefined
 * ```
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
 * Parses the body of a callback, as leniently as the client parses answers.
 * @throws a {@link CallbackError} if it is not a JSON object with an `event`, or if it lacks a required value
 */
export function readCallbackEvent(text: string | Uint8Array): CallbackEvent {
  const body = parseObject(text)
  if (typeof body?.event !== 'string')
    throw new CallbackError('unknown-event', 'The callback has no event (event: is required); check who sends it.')
  const kind = kindOfEvent(body.event)
  if (!kind) return { event: 'unknown', body }
  const schema = callbacks[kind].body
  const reading = parseLeniently(schema, body)
  if ('value' in reading) return normalize(schema, reading.value) as CallbackEvent
  const { path, problem } = reading.missing
  throw new CallbackError(
    'unknown-event',
    `The callback ${body.event} cannot be parsed (${path}: ${problem}); update the package.`,
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
