import type { AudienceGuest } from './audience.ts'
import { followShow } from './follow-show.ts'
import type { Access } from './show-api.ts'
import { createShowStream } from './show-stream.ts'

/** Lets the same guests attend any number of shows, in the background. */
export interface Guests {
  /** Returns false if they attend the show already. */
  attend(showId: string): boolean
  /** Disconnects all guests. */
  close(): Promise<void>
}

export interface GuestsOptions {
  readonly access: Access
  readonly sandboxUrl: string
  readonly guests: readonly AudienceGuest[]
  /** Called with one sentence when guests could not join or leave. */
  readonly onProblem: (sentence: string) => void
}

export function createGuests({ access, sandboxUrl, guests, onProblem }: GuestsOptions): Guests {
  const closing = new AbortController()
  const { signal } = closing
  const visits = new Map<string, Promise<unknown>>()
  return {
    attend(showId) {
      if (visits.has(showId)) return false
      const options = { access, sandboxUrl, showId, guests, publishTimeout: 0, signal }
      const visit = followShow(options, createShowStream())
        .catch((error: Error) => {
          if (!signal.aborted) onProblem(`Guests of show ${showId}: ${error.message}`)
        })
        .finally(() => visits.delete(showId))
      visits.set(showId, visit)
      return true
    },
    async close() {
      closing.abort()
      await Promise.all(visits.values())
    },
  }
}
