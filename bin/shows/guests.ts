import { realClock } from '../../lib/clock.ts'
import { admitGuests } from './admit-guests.ts'
import { createAudience, type Guest } from './audience.ts'
import { follow } from './follow.ts'
import { type Access, createShowApi } from './show-api.ts'
import { createShowStream } from './show-stream.ts'

/** Brings the same guests to any number of shows, in the background. */
export interface Guests {
  /** False when they are there, or on their way, already. */
  bring(showId: string): boolean
  /** Takes everybody out again. */
  close(): Promise<void>
}

export interface GuestsOptions {
  readonly access: Access
  readonly sandboxUrl: string
  readonly guests: readonly Guest[]
  /** Told in one sentence when guests could not come or go. */
  readonly onProblem: (sentence: string) => void
}

export function createGuests({ access, sandboxUrl, guests, onProblem }: GuestsOptions): Guests {
  const api = createShowApi(access)
  const closing = new AbortController()
  const visits = new Map<string, Promise<void>>()

  async function accompany(showId: string): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([closing.signal, over.signal])
    const sights = createShowStream()
    const admit = (name: string) => api.admit(showId, name)
    const audience = createAudience({ sandboxUrl, guests, admit, clock: realClock, signal })
    const following = follow({ api, showId, clock: realClock, signal, onSight: sights.push, publishWait: 0 })
    const visiting = admitGuests(sights, audience)
    try {
      await Promise.race([following, visiting.then(() => following)]) // until the end, or until a guest cannot come
    } finally {
      over.abort()
      sights.end()
      await Promise.allSettled([following, visiting])
      await audience.leave()
    }
  }

  return {
    bring(showId) {
      if (visits.has(showId)) return false
      const visiting = accompany(showId)
        .catch((error) => {
          if (!closing.signal.aborted) onProblem(`Guests of show ${showId}: ${(error as Error).message}`)
        })
        .finally(() => visits.delete(showId))
      visits.set(showId, visiting)
      return true
    },
    async close() {
      closing.abort()
      await Promise.all(visits.values())
    },
  }
}
