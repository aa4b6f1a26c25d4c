import type { Services } from '../../../lib/services.ts'
import { tokenOrder } from '../../../lib/show/document/orders/token.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, noShow, ok, readBody, showIdOf } from '../../http/request.ts'

/** `POST /shows/{id}/tokens`: with what one participant connects, from the moment that the show has a session until its end. */
export async function postToken(event: ApiEvent, { records, project }: Services) {
  const showId = showIdOf(event)
  const { role, data, expiresIn, layoutClasses } = readBody(event, tokenOrder)
  const state = await records.readState(showId)
  if (!state) throw noShow(showId)
  const { sessionId, endedAt } = state
  if (endedAt) throw new ApiProblem(409, `The show ${showId} is over: nobody is let in any more.`)
  if (!sessionId) throw new ApiProblem(409, `The show ${showId} has no session yet: ask again once it has begun.`)
  const [apiKey, token] = await Promise.all([
    project.apiKey(),
    project.clientToken({ sessionId, role, expiresIn, layoutClasses, ...(data !== undefined && { data }) }),
  ])
  return ok({ apiKey, sessionId, token })
}
