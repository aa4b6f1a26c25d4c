import type { Services } from '../../../lib/services.ts'
import { dialIn } from '../../../lib/show/dial-ins/dial.ts'
import { withEntry, withoutProblem } from '../../../lib/show/run/resource-entries.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { beginAdded, withAdded, withoutAdded } from './added-orders.ts'
import { control } from './control.ts'

/**
 * `POST /shows/{id}/dial-ins`: dials a telephone into the session once. A call whose answer was lost stays unknown and is not
 * repeated, under any key.
 */
export const postDialIn = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'dialIn',
      prepare: (state, order, isRepeated) => ({
        ...state,
        dialIns: withAdded(state.dialIns, {
          order,
          isRepeated,
          entry: { name: order.name, order },
          hasBegun,
        }),
      }),
      async carryOut({ showId, sessionId }, { name }) {
        const { outcome } = await beginAdded(() => dialIn(services, { showId, sessionId, name }))
        const detail =
          outcome === 'dialed'
            ? 'It was dialed.'
            : 'The platform’s answer was lost, so it is unknown whether it was dialed. It is not repeated.'
        return {
          happened: [{ what: 'control.dialIn', name, detail }],
          change: (state) => ({ ...state, dialIns: withEntry(state.dialIns, name, withoutProblem) }),
        }
      },
      // No call was made, so the order is removed and can be corrected.
      afterFailure: (state, { name }) => ({
        ...state,
        dialIns: withoutAdded(state.dialIns, { name, hasBegun, controls: state.controls }),
      }),
    },
  )

const hasBegun = ({ askedAt }: { askedAt?: string | undefined }) => askedAt !== undefined
