import type { Services } from '../../../lib/services.ts'
import { archiveIdPattern } from '../../../lib/show/document/fields/names.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, ok } from '../../http/request.ts'
import { withLinks, withoutParts } from './links.ts'

/**
 * `GET /public/recordings/{archiveId}`: answers the public part of a public recording, without its show. Any other recording is
 * answered as one that does not exist.
 */
export async function getPublicRecording(event: ApiEvent, services: Services) {
  const archiveId = event.pathParameters?.archiveId ?? ''
  const manifest = archiveIdPattern.test(archiveId) ? await services.records.readManifest(archiveId) : undefined
  if (manifest?.access !== 'public')
    throw new ApiProblem('unknown-recording', 'There is no such recording, or it is not public.')
  const shown = await withLinks(withoutParts(manifest), event, services)
  const { version, createdAt, status, duration, video, audio, watch, source, files } = shown
  return ok({
    ...{ version, archiveId, createdAt, status, duration, video, audio, watch: { url: watch.url } },
    source: { size: source.size, sha256: source.sha256, url: source.url, expiresAt: source.expiresAt },
    files: files.map(({ key: _, ...file }) => file),
  })
}
