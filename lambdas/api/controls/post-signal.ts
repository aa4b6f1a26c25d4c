import type { Services } from '../../../lib/services.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/**
 * `POST /shows/{id}/signals`: to everybody, or to one connection. The platform has nothing to tell a repeated signal by: one
 * whose request broke off, or whose answer from the platform was lost, may come twice when it is asked for again.
 */
export const postSignal = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'signal',
      async carryOut({ sessionId }, { connectionId, type, data }) {
        const platform = await services.platform()
        if (connectionId) await platform.signalConnection({ sessionId, connectionId, type, data })
        else await platform.signalSession({ sessionId, type, data })
        const detail = `A signal of type ${type} was sent to ${connectionId ?? 'everybody'}.`
        return { happened: [{ what: 'control.signal', detail }] }
      },
    },
  )
