import { joinSession, type Session } from '../../session/session.ts'
import type { SessionState } from '../../session/state.ts'
import { act } from '../api.ts'

/** The streams that the page receives of a session while it watches it. */
export interface Monitor {
  /** Undefined while it does not watch. */
  readonly state: SessionState | undefined
  /** Joins a session as a subscriber. */
  watch(place: WatchedSession): void
  /** Leaves the session. */
  stop(): void
}

interface WatchedSession {
  readonly showId: string
  readonly sessionId: string
  /** Base URL of the sandbox. */
  readonly url: string
}

/** Creates a monitor, which does not watch yet. @param onChange is called when streams are added, changed and removed */
export function createMonitor(onChange: () => void): Monitor {
  let session: Session | undefined
  const stop = () => {
    session?.leave()
    session = undefined
    onChange()
  }
  return {
    get state() {
      return session?.state
    },
    watch({ showId, sessionId, url }) {
      const token = async () =>
        (await act(({ tokens }) => tokens.create(showId, { role: 'subscriber', data: 'Control room' }))).token
      session ??= joinSession({ url, sessionId, token, onChange })
    },
    stop,
  }
}
