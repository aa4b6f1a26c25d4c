import type { Clock } from '../../../lib/clock.ts'
import type { Services } from '../../../lib/services.ts'
import { stopNow } from '../../../lib/show/run/stop/stop-now.ts'
import { isTerminal } from '../../../lib/show/state/state.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/** Milliseconds for the platform: with two writes of the state, a stop is answered within 5 s. */
const MAX_STOP_MS = 4_000

/**
 * `POST /shows/{id}/stop`: prevents further starts, and stops everything that runs within this request. The show's machine
 * stops the rest at its next poll. A show that is ending or over stays as it is.
 */
export const postStop = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'stop',
      isPointless: ({ endedAt, status }) => endedAt !== undefined || isTerminal(status),
      prepare: (state) => ({
        ...state,
        stopAskedAt: state.stopAskedAt ?? new Date(services.clock.now()).toISOString(),
      }),
      async carryOut(show) {
        const deadline = startDeadline(services.clock)
        const detail = await stopNow(services, show, deadline.signal)
        deadline.cancel()
        return { happened: [{ what: 'control.stop', detail }] }
      },
    },
  )

function startDeadline(clock: Clock) {
  const controller = new AbortController()
  const { cancel } = clock.at(clock.now() + MAX_STOP_MS, () =>
    controller.abort(new Error('The time for a stop is up.')),
  )
  return { signal: controller.signal, cancel }
}
