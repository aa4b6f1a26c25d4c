import type { ControlBody } from '../../../lib/api/controls.ts'
import type { Services } from '../../../lib/services.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/** `POST /shows/{id}/mute`: one stream, or all but some, now and from now on. Repeated it changes nothing. */
export const postMute = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'mute',
      async carryOut({ sessionId }, body) {
        const platform = await services.platform()
        const { streamId, active, excludedStreamIds } = body
        if (streamId) await platform.muteStream({ sessionId, streamId })
        else if (active !== undefined)
          await platform.muteSession({ sessionId, active, ...(excludedStreamIds && { excludedStreamIds }) })
        return { happened: [{ what: 'control.mute', detail: inWords(body) }] }
      },
    },
  )

function inWords({ streamId, active, excludedStreamIds = [] }: ControlBody<'mute'>): string {
  if (streamId) return `The stream ${streamId} was muted.`
  if (!active) return 'Streams that come are muted no longer.'
  return excludedStreamIds.length > 0
    ? `Every stream was muted but ${excludedStreamIds.length}, and every one that comes.`
    : 'Every stream was muted, and every one that comes.'
}
