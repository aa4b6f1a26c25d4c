import type { Services } from '../../../lib/services.ts'
import { isUncertain } from '../../../lib/show/run/platform-errors.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/**
 * `POST /shows/{id}/tones`: plays tones to one connection, or to every client. The platform cannot recognize repeated tones:
 * when its answer is lost, that is reported, and the tones are not repeated under the same key.
 */
export const postTones = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'tones',
      async carryOut({ sessionId }, { digits, connectionId }) {
        const platform = await services.platform()
        const play = connectionId
          ? platform.playDtmfToConnection({ sessionId, connectionId, digits })
          : platform.playDtmfToSession({ sessionId, digits })
        const wasAnswered = await play.then(
          () => true,
          (error: unknown) => {
            if (isUncertain(error)) return false
            throw error
          },
        )
        const target = connectionId ?? 'every client'
        const detail = wasAnswered
          ? `Tones were played to ${target}.`
          : `The platform’s answer was lost, so it is unknown whether tones were played to ${target}. They are not repeated.`
        return { happened: [{ what: 'control.tones', detail }] }
      },
    },
  )
