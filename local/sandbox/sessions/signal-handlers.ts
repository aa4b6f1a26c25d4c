import type { signalOperations } from '../../../lib/platform/contract/signals.ts'
import type { Handlers } from '../handler.ts'
import type { Presence } from '../participants/presence.ts'
import type { Store } from '../state/store.ts'
import { findConnection, findSession } from './find-session.ts'

export const signalHandlers = (store: Store, presence: Presence): Handlers<keyof typeof signalOperations> => ({
  signalSession({ apiKey, sessionId, body }) {
    const { id } = findSession(store, apiKey, sessionId)
    for (const connection of store.connections.find({ sessionId: id })) presence.signal(connection, body)
    return undefined
  },
  signalConnection({ apiKey, sessionId, connectionId, body }) {
    presence.signal(findConnection(store, findSession(store, apiKey, sessionId), connectionId), body)
    return undefined
  },
})
