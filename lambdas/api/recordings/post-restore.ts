import { restoreRecording } from '../../../lib/publish/deletion/deletion.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, ok } from '../../http/request.ts'
import { archiveIdOf, noRecording } from './recording.ts'

/** `POST /recordings/{archiveId}/restore`: undoes its deletion. Of one that is not deleted nothing is changed. */
export async function postRestore(event: ApiEvent, services: Services) {
  const archiveId = archiveIdOf(event)
  const restoration = await restoreRecording(services, archiveId)
  switch (restoration.outcome) {
    case 'restored':
      return ok({ archiveId, objects: restoration.objects })
    case 'unknown':
      throw noRecording(archiveId)
    case 'too late':
      throw new ApiProblem(409, `The recording ${archiveId} ${restoration.words}.`)
  }
}
