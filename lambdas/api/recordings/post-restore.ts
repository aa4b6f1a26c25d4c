import { restoreRecording } from '../../../lib/publish/deletion/deletion.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, ok } from '../../http/request.ts'
import { archiveIdOf, noRecording } from './recording.ts'

/** `POST /recordings/{archiveId}/restore`: undoes a deletion. A recording that is not deleted stays as it is. */
export async function postRestore(event: ApiEvent, services: Services) {
  const archiveId = archiveIdOf(event)
  const restoration = await restoreRecording(services, archiveId)
  switch (restoration.outcome) {
    case 'restored':
      return ok({ archiveId, objects: restoration.objects })
    case 'unknown':
      throw noRecording(archiveId)
    case 'too late':
      throw new ApiProblem('restore-expired', `The recording ${archiveId} ${restoration.words}.`)
    case 'at work':
      throw new ApiProblem(
        'recording-busy',
        `The recording ${archiveId} ${restoration.words}. Repeat the request later.`,
      )
  }
}
