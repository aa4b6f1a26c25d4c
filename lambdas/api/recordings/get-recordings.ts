import { listDeletions, readDeletion } from '../../../lib/records/deletion-records.ts'
import { ForeignKeysError } from '../../../lib/records/own-keys.ts'
import type { Services } from '../../../lib/services.ts'
import { type ApiEvent, type Asked, ok, pageOf } from '../../http/request.ts'
import { withLinks, withoutParts } from './links.ts'

/** `GET /recordings`: lists manifests, newest first, with links and without the files of playlists; or lists deletions. */
export async function getRecordings(event: ApiEvent, services: Services, { query, log }: Asked<'GET /recordings'>) {
  if (query.deleted === 'true') return listDeleted(services.storage, query)
  const { records } = services
  const { items, cursor } = await records.listRecordings(pageOf(query))
  const read = (archiveId: string) =>
    records.readManifest(archiveId).catch((error: unknown) => {
      if (!(error instanceof ForeignKeysError)) throw error
      log.error('manifest refused', { archiveId, error }) // the other recordings are still listed
      return undefined
    })
  const manifests = await Promise.all(items.map(read))
  const found = manifests.flatMap((manifest) => manifest ?? [])
  const shown = found.map((manifest) => withLinks(withoutParts(manifest), event, services))
  return ok({ items: await Promise.all(shown), cursor })
}

async function listDeleted(storage: Services['storage'], query: Asked<'GET /recordings'>['query']) {
  const { items, cursor } = await listDeletions(storage, pageOf(query))
  const found = await Promise.all(items.map((archiveId) => readDeletion(storage, archiveId)))
  const shown = found.flatMap((stored) => {
    if (stored?.document.phase !== 'deleted') return []
    const { archiveId, deletedAt, deletedBy, purgeAt, createdAt, show, duration, size } = stored.document
    return { archiveId, deletedAt, deletedBy, restorableUntil: purgeAt, createdAt, show, duration, size }
  })
  return ok({ items: shown, cursor })
}
