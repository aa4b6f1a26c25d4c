import type { Services } from '../../lib/services/services.ts'
import { restoreRecording } from '../../lib/services/undoing.ts'
import { ApiProblem } from './problem.ts'
import { archiveIdOf, noRecording } from './recording.ts'
import { type ApiEvent, ok } from './request.ts'

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
