import type { Services } from '../../lib/services/services.ts'
import { type ApiEvent, ok, readPage } from './request.ts'

/** Seconds for which the links of a list work. */
const LINK_VALIDITY = 3_600

/** `GET /recordings`: manifests, newest first, each with time-limited links to the source and the published files. */
export async function getRecordings(event: ApiEvent, { records, storage }: Services) {
  const { items, cursor } = await records.listRecordings(readPage(event))
  const manifests = await Promise.all(items.map((archiveId) => records.readManifest(archiveId)))
  const recordings = manifests
    .flatMap((manifest) => manifest ?? [])
    .map(async (manifest) => ({
      ...manifest,
      source: { ...manifest.source, url: await storage.link(manifest.source.key, LINK_VALIDITY) },
      files: await Promise.all(
        manifest.files.map(async (file) => ({ ...file, url: await storage.link(file.key, LINK_VALIDITY) })),
      ),
    }))
  return ok({ items: await Promise.all(recordings), cursor })
}
