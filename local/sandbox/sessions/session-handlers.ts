import { isIP } from 'node:net'
import type { sessionOperations } from '../../../lib/platform/contract/sessions.ts'
import { sessionIds } from '../../../lib/platform/contract/sessions.ts'
import type { Handlers } from '../handler.ts'
import type { Ids } from '../state/ids.ts'
import type { Store } from '../state/store.ts'

export const sessionHandlers = (
  store: Store,
  ids: Ids,
  now: () => number,
): Handlers<keyof typeof sessionOperations> => ({
  createSession({ apiKey, body }) {
    const createdAt = now()
    const { location = '' } = body
    const id = sessionIds.make(apiKey, createdAt, ids.hex(8), isIP(location) ? location : '')
    const routed = body['p2p.preference'] === 'disabled'
    const archiveMode = body.archiveMode === 'always' ? body.archiveMode : undefined
    store.sessions.insert({ id, projectId: apiKey, createdAt, routed, location: body.location, archiveMode })
    return [{ session_id: id, project_id: apiKey, create_dt: creationDate(createdAt), media_server_url: '' }]
  },
})

/** Formats a time as the platform does: `Fri Nov 20 09:00:00 UTC 2026`. */
function creationDate(time: number): string {
  const [weekday, day, month, year, clock] = new Date(time).toUTCString().replace(',', '').split(' ')
  return `${weekday} ${month} ${day} ${clock} UTC ${year}`
}
