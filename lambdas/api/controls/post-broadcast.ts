import type { Services } from '../../../lib/services.ts'
import { type BroadcastOrder, longestBroadcast } from '../../../lib/show/document/broadcast.ts'
import { tagOf } from '../../../lib/show/document/fields/names.ts'
import { isDefinite } from '../../../lib/show/run/platform-errors.ts'
import { withEntry, withoutProblem } from '../../../lib/show/run/resource-entries.ts'
import { startBroadcastPart } from '../../../lib/show/run/start/start-parts.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { ApiProblem, problemOf } from '../../http/problem.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { beginAdded, withAdded, withoutAdded } from './added-orders.ts'
import { control } from './control.ts'

/**
 * `POST /shows/{id}/broadcasts`: starts a broadcast in a live show, which polls it like those of its document. When an answer
 * was lost, the broadcast is found by its tag, so it starts once.
 */
export const postBroadcast = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'broadcast',
      prepare(state, order, isRepeated) {
        refuseTooLong(state, order, services.clock.now())
        const { name } = order
        const entry = { name, part: 1, tag: tagOf(state.showId, name), order }
        return { ...state, broadcasts: withAdded(state.broadcasts, { order, isRepeated, entry, hasBegun }) }
      },
      async carryOut({ showId, sessionId }, { name }) {
        const started = await beginAdded(() => startBroadcastPart(services, { showId, sessionId, name, part: 1 }))
        return {
          happened: [
            { what: 'broadcast.started', name, part: 1 },
            { what: 'control.broadcast', name, detail: `The broadcast ${name} was started.` },
          ],
          change: (state) => ({
            ...state,
            broadcasts: state.broadcasts.map((one) =>
              one.tag === started.tag ? { ...withoutProblem(one), ...started } : one,
            ),
          }),
        }
      },
      // A broadcast that may run stays in the state and is found by its tag; any other is removed.
      afterFailure: (state, { name }, error) => ({ ...state, broadcasts: afterFailure(state, name, error) }),
    },
  )

const hasBegun = ({ broadcastId }: { broadcastId?: string | undefined }) => broadcastId !== undefined

function afterFailure({ broadcasts, controls }: ShowState, name: string, error: unknown): ShowState['broadcasts'] {
  if (problemOf(error, '').status >= 500)
    return withEntry(broadcasts, name, (entry) => ({ ...entry, problem: 'The platform failed while it was started.' }))
  // A refusal of a later try, or of a read, says nothing about the first try.
  if (!(error instanceof ApiProblem) && !isDefinite(error)) return broadcasts
  return withoutAdded(broadcasts, { name, hasBegun, controls })
}

/** Applies the rule of the show document to the remaining time. */
function refuseTooLong({ plannedEndAt }: ShowState, order: BroadcastOrder, now: number): void {
  const left = plannedEndAt ? Math.ceil((Date.parse(plannedEndAt) - now) / 1000) : 0
  const longest = longestBroadcast(order)
  if (order.parts || left <= longest) return
  const message = `must be true: the show lasts ${left} s more, and the platform stops this broadcast after ${longest} s`
  throw new ApiProblem('change-refused', 'The show does not allow this; see problems.', [{ path: 'parts', message }])
}
