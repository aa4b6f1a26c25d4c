import { deleteRecording } from '../../lib/services/deleting.ts'
import type { Services } from '../../lib/services/services.ts'
import { ApiProblem } from './problem.ts'
import { archiveIdOf, noRecording } from './recording.ts'
import { type ApiEvent, ok } from './request.ts'

/** `DELETE /recordings/{archiveId}`: nothing of it is left, here or at the platform. Repeated it deletes what is there still. */
export async function removeRecording(event: ApiEvent, services: Services) {
  const archiveId = archiveIdOf(event)
  const deletion = await deleteRecording(services, archiveId)
  switch (deletion.outcome) {
    case 'deleted':
      return ok({ archiveId, objects: deletion.objects })
    case 'unknown':
      throw noRecording(archiveId)
    case 'at work':
      throw new ApiProblem(409, `The recording ${archiveId} ${deletion.words}: ask again when that is done.`)
  }
}
