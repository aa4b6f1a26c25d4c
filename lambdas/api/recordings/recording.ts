import { archiveIdPattern } from '../../../lib/show/document/fields/names.ts'
import { ApiProblem } from '../../http/problem.ts'
import type { ApiEvent } from '../../http/request.ts'

/** Returns the archive that the path names, which need not exist. @throws {@link ApiProblem} for an id of another form */
export function archiveIdOf({ pathParameters }: ApiEvent): string {
  const archiveId = pathParameters?.archiveId ?? ''
  if (!archiveIdPattern.test(archiveId)) throw noRecording(archiveId)
  return archiveId
}

/** Returns the problem of a recording that does not exist. */
export const noRecording = (archiveId: string) =>
  new ApiProblem('unknown-recording', `There is no recording ${archiveId}.`)
