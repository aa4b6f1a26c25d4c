import { type Composer, composerCodes, type composerOperations } from '../../../lib/platform/contract/composers.ts'
import type { Handlers } from '../handler.ts'
import { mayPublish, participantIdentityOf, readClientToken } from '../http/client-tokens.ts'
import { Refusal } from '../http/refusal.ts'
import { type Ids, isUuid } from '../state/ids.ts'
import type { ComposerRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Composers } from './composers.ts'

export function composerHandlers(parts: {
  store: Store
  ids: Ids
  now: () => number
  composers: Composers
}): Handlers<keyof typeof composerOperations> {
  const { store, ids, now, composers } = parts

  function find(apiKey: string, id: string): ComposerRecord {
    if (!isUuid(id)) throw new Refusal(400, 'The composer id is invalid.')
    const composer = store.composers.get(id)
    if (composer?.projectId !== apiKey) throw new Refusal(404, 'Composer not found')
    return composer
  }

  return {
    startComposer({ apiKey, body }, { project }) {
      const { sessionId, token, url, maxDuration, resolution, properties } = body
      if (store.sessions.get(sessionId)?.projectId !== apiKey) refuseField('sessionId')
      const { claims } = readClientToken(token, { project, sessionId, now: now() })
      if (!claims) refuseField('token')
      if (!mayPublish(claims)) throw new Refusal(403, 'The client token’s role must not be subscriber.')
      const described = { sessionId, url, maxDuration, resolution, name: properties?.name ?? '' }
      return show(
        composers.start({ id: ids.uuid(), projectId: apiKey, ...described, ...participantIdentityOf(claims) }),
      )
    },
    getComposer: ({ apiKey, composerId }) => show(find(apiKey, composerId)),
    listComposers({ apiKey, query: { offset, count } }) {
      const { total, items } = store.composers.page({ projectId: apiKey }, { offset, count })
      return { count: total, items: items.map(show) }
    },
    stopComposer({ apiKey, composerId }) {
      composers.stop(find(apiKey, composerId).id)
      return undefined
    },
  }
}

function refuseField(field: keyof typeof composerCodes): never {
  const { code, message } = composerCodes[field]
  throw new Refusal(400, message, code)
}

const show = (composer: ComposerRecord): Composer => {
  const { id, sessionId, projectId, createdAt, updatedAt, url, resolution, status, reason, streamId } = composer
  return { id, sessionId, projectId, createdAt, updatedAt, url, resolution, status, reason, streamId }
}
