import type { Services } from '../../lib/services/services.ts'
import { withLinks } from './links.ts'
import { type ApiEvent, type Asked, ok, pageOf } from './request.ts'

/** `GET /recordings`: manifests, newest first, each with time-limited links to the source and the published files. */
export async function getRecordings(_event: ApiEvent, services: Services, { query }: Asked<'GET /recordings'>) {
  const { records } = services
  const { items, cursor } = await records.listRecordings(pageOf(query))
  const manifests = await Promise.all(items.map((archiveId) => records.readManifest(archiveId)))
  const shown = manifests.flatMap((manifest) => manifest ?? []).map((manifest) => withLinks(manifest, services))
  return ok({ items: await Promise.all(shown), cursor })
}
