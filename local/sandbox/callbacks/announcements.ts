import type { CallbackKind, SentCallback } from '../../../lib/platform/contract/callbacks.ts'

/** Tells what has happened to a resource, as the callback of that kind words it. Waits for nobody. */
export type Announce = <Kind extends CallbackKind>(kind: Kind, body: SentCallback<Kind>) => void

/** Everything that callbacks tell, in the order in which it happens. */
export interface Announcements {
  readonly announce: Announce
  /** The listener is called at once, while things change: it takes note and acts later. */
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
