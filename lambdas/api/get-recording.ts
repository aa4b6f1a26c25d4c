import type { Services } from '../../lib/services/services.ts'
import { withLinks } from './links.ts'
import { archiveIdOf, noRecording } from './recording.ts'
import { type ApiEvent, ok } from './request.ts'

/** `GET /recordings/{archiveId}`: its manifest, with links that end after an hour. */
export async function getRecording(event: ApiEvent, services: Services) {
  const archiveId = archiveIdOf(event)
  const manifest = await services.records.readManifest(archiveId)
  if (!manifest) throw noRecording(archiveId)
  return ok(await withLinks(manifest, event, services))
}
