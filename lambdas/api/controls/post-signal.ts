import type { Services } from '../../../lib/services.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/**
 * `POST /shows/{id}/signals`: sends a signal to all participants or to one connection. The platform cannot recognize a repeated
 * signal: after an interruption or a lost answer, a repeated request may send it twice.
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
        const detail = `A signal of type ${type} was sent to ${connectionId ?? 'all participants'}.`
        return { happened: [{ what: 'control.signal', detail }] }
      },
    },
  )
