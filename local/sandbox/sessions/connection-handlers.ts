import type { connectionOperations } from '../../../lib/platform/contract/connections.ts'
import type { Handlers, Platform } from '../handler.ts'
import { findConnection, findSession } from './find-session.ts'

export const connectionHandlers = ({ store, attendance }: Platform): Handlers<keyof typeof connectionOperations> => ({
  forceDisconnect({ apiKey, sessionId, connectionId }) {
    const connection = findConnection(store, findSession(store, apiKey, sessionId), connectionId)
    attendance.disconnect(connection, 'forceDisconnected')
    return undefined
  },
})
