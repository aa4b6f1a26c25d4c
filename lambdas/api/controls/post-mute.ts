import type { ControlBody } from '../../../lib/api/controls.ts'
import type { Services } from '../../../lib/services.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/** `POST /shows/{id}/mute`: mutes one stream, or all but some, including later ones. A repeated request changes nothing. */
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
        return { happened: [{ what: 'control.mute', detail: describe(body) }] }
      },
    },
  )

function describe({ streamId, active, excludedStreamIds = [] }: ControlBody<'mute'>): string {
  if (streamId) return `The stream ${streamId} was muted.`
  if (!active) return 'New streams are no longer muted.'
  return excludedStreamIds.length > 0
    ? `Every stream except ${excludedStreamIds.length} was muted, and new ones will be.`
    : 'Every stream was muted, and new ones will be.'
}
