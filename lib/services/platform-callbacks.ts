import type { Clock } from '../clock.ts'
import { CallbackError, type ReceivedCallback, verifySignedBody } from '../platform/client/signed-bodies.ts'
import { limits } from '../platform/contract/limits.ts'
import { type Receiver, receiverSecrets } from '../workflow/platform-events.ts'
import type { Secrets } from './secrets.ts'

/** Seconds the clocks of platform and receiver may differ. */
const TOLERANCE = 5
/** Milliseconds between reads of the secret that a wrong signature sets off: whoever forges callbacks must not cause more. */
const FRESH_READS = 60_000

/** The callbacks that are registered at the platform. */
export interface PlatformCallbacks {
  /**
   * @returns false when no callback of this kind is registered
   * @throws CallbackError unless the platform has signed exactly this body, a short while ago
   */
  verify(receiver: Receiver, received: ReceivedCallback): Promise<boolean>
}

export function createPlatformCallbacks(secrets: Secrets, secretId: string, clock: Clock): PlatformCallbacks {
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (receiver: Receiver, fresh: boolean) => {
    if (fresh) readAt = clock.now()
    return (await secrets.read(secretId, receiverSecrets, { fresh }))[receiver]
  }
  const check = (received: ReceivedCallback, secret: string) =>
    verifySignedBody(received, { secret, now: clock.now(), tolerance: TOLERANCE, mostAge: limits.tokenLifetime.value })

  return {
    async verify(receiver, received) {
      const mayReadAgain = clock.now() - readAt >= FRESH_READS
      const kept = await read(receiver, false)
      if (kept === undefined && !mayReadAgain) return false
      const secret = kept ?? (await read(receiver, true)) // it may have been registered since
      if (secret === undefined) return false
      try {
        await check(received, secret)
      } catch (error) {
        if (!(error instanceof CallbackError) || error.code !== 'wrong-signature' || !mayReadAgain) throw error
        await check(received, (await read(receiver, true)) ?? secret) // it may have been replaced since
      }
      return true
    },
  }
}
