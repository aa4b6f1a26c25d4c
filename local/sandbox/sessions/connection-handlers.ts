import type { connectionOperations } from '../../../lib/platform/contract/connections.ts'
import type { Handlers } from '../handler.ts'
import type { Presence } from '../participants/presence.ts'
import type { Store } from '../state/store.ts'
import { findConnection, findSession } from './find-session.ts'

export const connectionHandlers = (store: Store, presence: Presence): Handlers<keyof typeof connectionOperations> => ({
  forceDisconnect({ apiKey, sessionId, connectionId }) {
    const connection = findConnection(store, findSession(store, apiKey, sessionId), connectionId)
    presence.disconnect(connection, 'forceDisconnected')
    return undefined
  },
})
