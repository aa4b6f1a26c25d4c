import { archiveIdPattern } from '../../../lib/show/document/fields/names.ts'
import { ApiProblem } from '../../http/problem.ts'
import type { ApiEvent } from '../../http/request.ts'

/** The archive that the path names, which need not exist; an id of another form is answered as one that does not. */
export function archiveIdOf({ pathParameters }: ApiEvent): string {
  const archiveId = pathParameters?.archiveId ?? ''
  if (!archiveIdPattern.test(archiveId)) throw noRecording(archiveId)
  return archiveId
}

export const noRecording = (archiveId: string) => new ApiProblem(404, `There is no recording ${archiveId}.`)
