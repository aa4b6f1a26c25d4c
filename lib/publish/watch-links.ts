import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '../aws/secrets.ts'
import type { Clock } from '../clock.ts'

/** The signed part of a link to a watch page; `expires` in seconds since 1970. */
export interface WatchGrant {
  readonly expires: number
  /** Epoch of the recording when the link was created: a higher one revokes it. Absent for 0. */
  readonly epoch?: number
  readonly signature: string
}

export type WatchLinks = ReturnType<typeof createWatchLinks>

const shape = z.object({ secret: z.string().min(32) })

/** Milliseconds for which a function caches the secret: after that a new value ends every link. */
const SECRET_AGE = 60_000

/** Creates the links with which viewers without a token can watch one recording until they expire. */
export function createWatchLinks(secrets: Secrets, secretId: string, clock: Clock) {
  let readAt = Number.NEGATIVE_INFINITY
  const readSecret = async () => {
    const fresh = clock.now() - readAt >= SECRET_AGE
    if (fresh) readAt = clock.now()
    return (await secrets.read(secretId, shape, { fresh })).secret
  }
  const signText = async (purpose: string, text: string) =>
    createHmac('sha256', await readSecret())
      .update([purpose, text].join('\n'))
      .digest('base64url')
  /** An epoch of 0 is not signed, so that links from before epochs stay valid. */
  const sign = (archiveId: string, expires: number, epoch: number) =>
    signText('watch', [archiveId, ...(epoch === 0 ? [] : [epoch]), expires].join('\n'))
  const grantUntil = async (archiveId: string, expires: number, epoch = 0): Promise<WatchGrant> => ({
    expires,
    ...(epoch > 0 && { epoch }),
    signature: await sign(archiveId, expires, epoch),
  })
  return {
    /** Signs texts for another purpose with the same secret. A signature for one purpose is not valid for another. */
    signer: {
      sign: signText,
      matches: async (purpose: string, text: string, signature: string) =>
        areEqual(await signText(purpose, text), signature),
    },
    /** Creates a link that expires after these seconds. */
    grant: (archiveId: string, seconds: number, epoch = 0) =>
      grantUntil(archiveId, Math.floor(clock.now() / 1000) + seconds, epoch),
    /** Creates a link that expires at a time, in seconds since 1970. */
    grantUntil,
    /** Checks signature and expiry of a link. The epoch of the recording decides whether it was revoked. */
    async verify(archiveId: string, { expires, epoch = 0, signature }: WatchGrant) {
      if (!areEqual(await sign(archiveId, expires, epoch), signature)) return 'not ours'
      return clock.now() / 1000 < expires ? 'good' : 'expired'
    },
  }
}

/** Compares in constant time. */
export function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
