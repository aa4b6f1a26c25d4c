import type { Clock } from '../../../../lib/clock.ts'
import type { Cloud } from '../../../cloud/cloud.ts'
import { addresses } from '../addresses.ts'

/** A public key of callbacks (RFC 8037). */
export interface PublishedKey {
  readonly kid: string
  readonly kty: string
  readonly crv: string
  readonly x: string
}

/** Attempts to read the published keys, and milliseconds between them: faults strike this call too. */
const TRIES = 200
const TRY_AGAIN = 10_000

export type PublishedKeys = ReturnType<typeof createPublishedKeys>

/** Remembers the keys of callbacks as an app does: a callback may be signed by one that a later rotation removed. */
export function createPublishedKeys({ cloud, clock }: { cloud: Pick<Cloud, 'api'>; clock: Clock }) {
  const remembered = new Map<string, PublishedKey>()
  return {
    /** Reads the published keys by their well-known path. Returns them with all that were read before. */
    async read(): Promise<readonly PublishedKey[]> {
      for (let tries = 1; ; tries++) {
        const answer = await cloud.api(new Request(`${addresses.api}/.well-known/jwks.json`))
        const { keys } = answer.ok ? ((await answer.json()) as { keys: PublishedKey[] }) : {}
        for (const key of keys ?? []) remembered.set(key.kid, key)
        if (keys) return [...remembered.values()]
        if (tries === TRIES) throw new Error(`The API does not publish its keys: it answers ${answer.status}.`)
        await clock.sleep(TRY_AGAIN)
      }
    },
  }
}
