import type { CallbackKind, SentCallback } from '../../../lib/platform/contract/callbacks.ts'

/** Function that announces an event of a resource in the form of its callback, without waiting for listeners. */
export type Announce = <Kind extends CallbackKind>(kind: Kind, body: SentCallback<Kind>) => void

/** All events that callbacks report, in their order. */
export interface Announcements {
  readonly announce: Announce
  /** Adds a listener, which is called while records change: it must only take note, and act later. */
  listen(listener: Announce): void
}

export function createAnnouncements(): Announcements {
  const listeners: Announce[] = []
  return {
    announce(kind, body) {
      for (const listener of listeners) listener(kind, body)
    },
    listen: (listener) => listeners.push(listener),
  }
}
