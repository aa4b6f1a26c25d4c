import type { Services } from '../../../lib/services.ts'
import { unschedule } from '../../../lib/show/run/sweep/unschedule.ts'
import { isTerminal } from '../../../lib/show/state/state.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, callerOf, noShow, ok, showIdOf } from '../../http/request.ts'

/** `DELETE /shows/{id}`: unschedules a show that has not started. Occurrences of a recurring show that have started continue. */
export async function deleteShow(event: ApiEvent, services: Services) {
  const showId = showIdOf(event)
  if (!(await services.records.readState(showId))) throw noShow(showId)
  if (await unschedule(services, showId, 'It was unscheduled.', callerOf(event)))
    return ok({ showId, status: 'stopped' })
  const status = (await services.records.readState(showId))?.status ?? ''
  throw new ApiProblem(
    'wrong-show-state',
    isTerminal(status)
      ? `The show ${showId} is over, so it cannot be unscheduled.`
      : `The show ${showId} has started. Stop it with POST /shows/${showId}/stop.`,
  )
}
