import type { Services } from '../../lib/services/services.ts'
import { idPattern } from '../../lib/workflow/names.ts'
import { ApiProblem } from './problem.ts'
import { type ApiEvent, ok } from './request.ts'

/** `GET /shows/{id}`: how far it is, and its result once it has ended. */
export async function getShow(event: ApiEvent, { records }: Services) {
  const showId = event.pathParameters?.id ?? ''
  const state = idPattern.test(showId) ? await records.readState(showId) : undefined
  if (!state) throw new ApiProblem(404, `There is no show ${showId}.`)
  const { version: _, ...shown } = state
  const result = await records.readResult(showId)
  return ok({ ...shown, ...(result && { status: result.status, result }) })
}
