import { readDeletion } from '../../../lib/records/deletion-records.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, ok } from '../../http/request.ts'
import { withLinks } from './links.ts'
import { archiveIdOf, noRecording } from './recording.ts'

/** Returns the problem of a recording that can be restored; undefined when it was not deleted, or is purged. */
async function deletedRecording(archiveId: string, { storage }: Services): Promise<ApiProblem | undefined> {
  const { document } = (await readDeletion(storage, archiveId)) ?? {}
  if (document?.phase !== 'deleted') return undefined
  const how = `Restore it with POST /recordings/${archiveId}/restore until ${document.purgeAt}`
  return new ApiProblem('recording-deleted', `The recording ${archiveId} was deleted. ${how}.`)
}

/** `GET /recordings/{archiveId}`: answers its manifest, with links that expire after an hour. */
export async function getRecording(event: ApiEvent, services: Services) {
  const archiveId = archiveIdOf(event)
  const manifest = await services.records.readManifest(archiveId)
  if (!manifest) throw (await deletedRecording(archiveId, services)) ?? noRecording(archiveId)
  return ok(await withLinks(manifest, event, services))
}
