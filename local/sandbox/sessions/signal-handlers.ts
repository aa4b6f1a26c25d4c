import type { signalOperations } from '../../../lib/platform/contract/signals.ts'
import type { Handlers, Platform } from '../handler.ts'
import { findConnection, findSession } from './find-session.ts'

export const signalHandlers = ({ store, attendance }: Platform): Handlers<keyof typeof signalOperations> => ({
  signalSession({ apiKey, sessionId, body }) {
    const { id } = findSession(store, apiKey, sessionId)
    for (const connection of store.connections.find({ sessionId: id })) attendance.signal(connection, body)
    return undefined
  },
  signalConnection({ apiKey, sessionId, connectionId, body }) {
    attendance.signal(findConnection(store, findSession(store, apiKey, sessionId), connectionId), body)
    return undefined
  },
})
