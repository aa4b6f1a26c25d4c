import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Secrets } from './secrets.ts'

/** What a link to a watch page carries; `expires` in seconds since 1970. */
export interface WatchGrant {
  readonly expires: number
  readonly signature: string
}

/** Links by which somebody without a token may watch one recording for a while. */
export interface WatchLinks {
  /** Lets whoever holds it watch the recording for these seconds. */
  grant(archiveId: string, seconds: number): Promise<WatchGrant>
  /** Whether these let anybody watch the recording now. */
  verify(archiveId: string, grant: Partial<WatchGrant>): Promise<'good' | 'expired' | 'not ours'>
}

const shape = z.object({ secret: z.string().min(32) })

export function createWatchLinks(secrets: Secrets, secretId: string, clock: Clock): WatchLinks {
  const sign = async (archiveId: string, expires: number) => {
    const { secret } = await secrets.read(secretId, shape)
    return createHmac('sha256', secret).update(`watch\n${archiveId}\n${expires}`).digest('base64url')
  }
  return {
    async grant(archiveId, seconds) {
      const expires = Math.floor(clock.now() / 1000) + seconds
      return { expires, signature: await sign(archiveId, expires) }
    },
    async verify(archiveId, { expires, signature }) {
      if (expires === undefined || signature === undefined) return 'not ours'
      if (!areEqual(await sign(archiveId, expires), signature)) return 'not ours'
      return clock.now() / 1000 < expires ? 'good' : 'expired'
    },
  }
}

/** In a time that tells nothing of where they differ. */
function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
