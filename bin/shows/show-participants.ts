import type { AudienceParticipant } from './audience.ts'
import { followShow } from './follow-show.ts'
import type { Access } from './show-api.ts'
import { createShowStream } from './show-stream.ts'

export type ShowParticipants = ReturnType<typeof createShowParticipants>

export interface ShowParticipantsOptions {
  readonly access: Access
  readonly sandboxUrl: string
  readonly participants: readonly AudienceParticipant[]
  /** Called with one sentence when participants could not join or leave. */
  readonly onProblem: (sentence: string) => void
}

/** Lets the same participants attend any number of shows, in the background. */
export function createShowParticipants({ access, sandboxUrl, participants, onProblem }: ShowParticipantsOptions) {
  const closing = new AbortController()
  const { signal } = closing
  const visits = new Map<string, Promise<unknown>>()
  return {
    /** Returns false if they attend the show already. */
    attend(showId: string): boolean {
      if (visits.has(showId)) return false
      const options = { access, sandboxUrl, showId, participants, signal }
      const visit = followShow(options, createShowStream())
        .catch((error: Error) => {
          if (!signal.aborted) onProblem(`Participants of show ${showId}: ${error.message}`)
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
