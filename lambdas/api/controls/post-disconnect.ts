import type { Services } from '../../../lib/services.ts'
import { isAlreadyEnded } from '../../../lib/show/run/platform-errors.ts'
import { withEntry } from '../../../lib/show/run/resource-entries.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/** `POST /shows/{id}/disconnect`: disconnects one participant or dial-in. One that has left already is not an error. */
export const postDisconnect = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'disconnect',
      async carryOut({ sessionId, dialIns }, { connectionId }) {
        const platform = await services.platform()
        const wasThere = await platform.forceDisconnect({ sessionId, connectionId }).then(
          () => true,
          (error: unknown) => {
            if (isAlreadyEnded(error)) return false
            throw error
          },
        )
        const call = dialIns.find((one) => one.connectionId === connectionId)
        const detail = wasThere
          ? `The connection ${connectionId} was closed.`
          : `The connection ${connectionId} had left already.`
        return {
          happened: [
            { what: 'control.disconnect', detail },
            ...(call ? [{ what: 'dialIn.ended', name: call.name } as const] : []),
          ],
          ...(call && {
            change: (state) => ({
              ...state,
              dialIns: withEntry(state.dialIns, call.name, (entry) => ({ ...entry, status: 'ended' as const })),
            }),
          }),
        }
      },
    },
  )
