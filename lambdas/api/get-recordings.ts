import type { Services } from '../../lib/services/services.ts'
import { withLinks } from './links.ts'
import { type ApiEvent, ok, readPage } from './request.ts'

/** `GET /recordings`: manifests, newest first, each with time-limited links to the source and the published files. */
export async function getRecordings(event: ApiEvent, services: Services) {
  const { records } = services
  const { items, cursor } = await records.listRecordings(readPage(event))
  const manifests = await Promise.all(items.map((archiveId) => records.readManifest(archiveId)))
  const shown = manifests.flatMap((manifest) => manifest ?? []).map((manifest) => withLinks(manifest, services))
  return ok({ items: await Promise.all(shown), cursor })
}
