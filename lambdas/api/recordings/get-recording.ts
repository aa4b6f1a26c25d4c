import { readDeletion } from '../../../lib/records/deletion-records.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, ok } from '../../http/request.ts'
import { withLinks } from './links.ts'
import { archiveIdOf, noRecording } from './recording.ts'

/** Tells callers that a recording can be restored; undefined when it was not deleted, or is gone. */
async function deletedRecording(archiveId: string, { storage }: Services): Promise<ApiProblem | undefined> {
  const { document } = (await readDeletion(storage, archiveId)) ?? {}
  if (document?.phase !== 'deleted') return undefined
  const how = `restore it by POST /recordings/${archiveId}/restore until ${document.purgeAt}`
  return new ApiProblem(404, `The recording ${archiveId} was deleted: ${how}.`)
}

/** `GET /recordings/{archiveId}`: its manifest, with links that end after an hour. */
export async function getRecording(event: ApiEvent, services: Services) {
  const archiveId = archiveIdOf(event)
  const manifest = await services.records.readManifest(archiveId)
  if (!manifest) throw (await deletedRecording(archiveId, services)) ?? noRecording(archiveId)
  return ok(await withLinks(manifest, event, services))
}
