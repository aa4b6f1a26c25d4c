import { isIP } from 'node:net'
import type { connectionOperations } from '../../../lib/platform/contract/connections.ts'
import { sessionIds, type sessionOperations } from '../../../lib/platform/contract/sessions.ts'
import type { signalOperations } from '../../../lib/platform/contract/signals.ts'
import type { Handlers } from '../handler.ts'
import type { SandboxParts } from '../parts.ts'
import { findConnection, findSession } from './find-session.ts'

type Names = keyof typeof sessionOperations | keyof typeof signalOperations | keyof typeof connectionOperations

/** Creates the handlers of sessions, their signals and their connections. */
export const sessionHandlers = (parts: Pick<SandboxParts, 'store' | 'ids' | 'now' | 'presence'>): Handlers<Names> => {
  const { store, ids, now, presence } = parts
  return {
    createSession({ apiKey, body }) {
      const createdAt = now()
      const { location = '' } = body
      const id = sessionIds.make(apiKey, createdAt, ids.hex(8), isIP(location) ? location : '')
      const routed = body['p2p.preference'] === 'disabled'
      const archiveMode = body.archiveMode === 'always' ? body.archiveMode : undefined
      store.sessions.insert({ id, projectId: apiKey, createdAt, routed, location: body.location, archiveMode })
      return [{ session_id: id, project_id: apiKey, create_dt: creationDate(createdAt), media_server_url: '' }]
    },
    signalSession({ apiKey, sessionId, body }) {
      const { id } = findSession(store, apiKey, sessionId)
      for (const connection of store.connections.find({ sessionId: id })) presence.signal(connection, body)
      return undefined
    },
    signalConnection({ apiKey, sessionId, connectionId, body }) {
      presence.signal(findConnection(store, findSession(store, apiKey, sessionId), connectionId), body)
      return undefined
    },
    forceDisconnect({ apiKey, sessionId, connectionId }) {
      const connection = findConnection(store, findSession(store, apiKey, sessionId), connectionId)
      presence.disconnect(connection, 'forceDisconnected')
      return undefined
    },
  }
}

/** Formats a time as the platform does: `Fri Nov 20 09:00:00 UTC 2026`. */
function creationDate(time: number): string {
  const [weekday, day, month, year, clock] = new Date(time).toUTCString().replace(',', '').split(' ')
  return `${weekday} ${month} ${day} ${clock} UTC ${year}`
}
