import type { signalOperations } from '../../../lib/platform/contract/signals.ts'
import { findConnection, findSession } from '../finding.ts'
import type { ConnectionRecord } from '../records.ts'
import type { Handlers, Platform } from './handler.ts'

export function signalHandlers({ store, ids, now }: Platform): Handlers<keyof typeof signalOperations> {
  const deliver = ({ id: connectionId }: ConnectionRecord, signal: { type?: string | undefined; data: string }) =>
    store.signals.insert({ id: ids.uuid(), connectionId, receivedAt: now(), type: signal.type, data: signal.data })

  return {
    signalSession({ apiKey, sessionId, body }) {
      const { id } = findSession(store, apiKey, sessionId)
      for (const connection of store.connections.find({ sessionId: id })) deliver(connection, body)
      return undefined
    },
    signalConnection({ apiKey, sessionId, connectionId, body }) {
      deliver(findConnection(store, findSession(store, apiKey, sessionId), connectionId), body)
      return undefined
    },
  }
}
