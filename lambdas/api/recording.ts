import { archiveIdPattern } from '../../lib/workflow/names.ts'
import { ApiProblem } from './problem.ts'
import type { ApiEvent } from './request.ts'

/** The archive that the path names, which need not exist; an id of another form is answered as one that does not. */
export function archiveIdOf({ pathParameters }: ApiEvent): string {
  const archiveId = pathParameters?.archiveId ?? ''
  if (!archiveIdPattern.test(archiveId)) throw noRecording(archiveId)
  return archiveId
}

export const noRecording = (archiveId: string) => new ApiProblem(404, `There is no recording ${archiveId}.`)
