import { type Clock, realClock } from '../clock.ts'
import { CallbackError, type ReceivedCallback, verifySignedBody } from '../platform/client/signed-bodies.ts'
import { audienceOf, ownerCallback } from '../workflow/owner-callbacks.ts'
import { type OwnerEvent, ownerEvent } from '../workflow/owner-events.ts'

export interface ShowrunnerCallbackOptions {
  /** The text under `secret` in the deployment's callback secret. */
  readonly secret: string
  /** The URL that the show names; a callback that was meant for another is refused then. Its query does not count. */
  readonly url?: string
  readonly clock?: Clock
  /** Seconds the clocks of Showrunner and receiver may differ; 5 unless told. */
  readonly tolerance?: number
}

/**
 * Verifies a callback of Showrunner's and returns the event that it tells.
 *
 * It does not remember what it has seen: an event may be told twice, so compare its `id` with those that were handled.
 * @throws CallbackError whose `code` says why it is not to be believed
 * @throws TypeError when an option is no good
 */
export async function verifyShowrunnerCallback(
  received: ReceivedCallback,
  { secret, url, clock = realClock, tolerance = 5 }: ShowrunnerCallbackOptions,
): Promise<OwnerEvent> {
  if (!secret) throw new TypeError('verifyShowrunnerCallback: secret must not be empty.')
  if (!(tolerance >= 0)) throw new TypeError('verifyShowrunnerCallback: tolerance must not be negative.')
  await verifySignedBody(received, {
    secret,
    now: clock.now(),
    tolerance,
    issuer: ownerCallback.issuer,
    mostAge: ownerCallback.lifetime,
    ...(url !== undefined && { audience: audienceOf(url) }),
  })
  const parsed = ownerEvent.safeParse(readJson(received.body))
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ')
  throw new CallbackError(
    'unknown-event',
    `The callback holds no event that this version reads (${fields}); update the package.`,
  )
}

function readJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return undefined // the schema says that it is no event
  }
}
