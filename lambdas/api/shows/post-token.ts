import type { Services } from '../../../lib/services.ts'
import { tokenOrder } from '../../../lib/show/document/orders/token.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, noShow, ok, readBody, showIdOf } from '../../http/request.ts'

/** `POST /shows/{id}/tokens`: creates a client token for one participant, while the show has a session. */
export async function postToken(event: ApiEvent, { records, project }: Services) {
  const showId = showIdOf(event)
  const { role, data, expiresIn, layoutClasses } = readBody(event, tokenOrder)
  const state = await records.readState(showId)
  if (!state) throw noShow(showId)
  const { sessionId, endedAt } = state
  if (endedAt) throw new ApiProblem('wrong-show-state', `The show ${showId} is over, so it issues no tokens.`)
  if (!sessionId)
    throw new ApiProblem(
      'wrong-show-state',
      `The show ${showId} has no session yet. Repeat the request once it has started.`,
    )
  const [apiKey, token] = await Promise.all([
    project.apiKey(),
    project.clientToken({ sessionId, role, expiresIn, layoutClasses, ...(data !== undefined && { data }) }),
  ])
  return ok({ apiKey, sessionId, token })
}
