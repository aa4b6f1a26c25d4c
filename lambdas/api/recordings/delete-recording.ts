import { deleteRecording } from '../../../lib/publish/deletion/deletion.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, type Asked, callerOf, ok } from '../../http/request.ts'
import { archiveIdOf, noRecording } from './recording.ts'

/**
 * `DELETE /recordings/{archiveId}`: ends every link to the recording, which can be restored for the days of the deployment. With
 * `permanently=true` it deletes every version and the platform's copy at once. A repeated request completes an interrupted one.
 */
export async function removeRecording(
  event: ApiEvent,
  services: Services,
  { query: { permanently } }: Asked<'DELETE /recordings/{archiveId}'>,
) {
  const archiveId = archiveIdOf(event)
  const days = permanently === 'true' ? 0 : Number(services.variable('UNDELETE_DAYS'))
  const deletion = await deleteRecording(services, archiveId, { by: callerOf(event), days })
  switch (deletion.outcome) {
    case 'deleted': {
      const { objects, purgeAt } = deletion
      return ok({ archiveId, objects, ...(purgeAt && { restorableUntil: purgeAt }) })
    }
    case 'unknown':
      throw noRecording(archiveId)
    case 'at work':
      throw new ApiProblem('recording-busy', `The recording ${archiveId} ${deletion.words}. Repeat the request later.`)
  }
}
