import type { Services } from '../../../lib/services.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { control } from './control.ts'

/** `POST /shows/{id}/layout-classes`: replaces the layout classes of streams. A repeated request changes nothing. */
export const postLayoutClasses = (event: ApiEvent, services: Services, { log }: Asked) =>
  control(
    event,
    { services, log },
    {
      name: 'layoutClasses',
      async carryOut({ sessionId }, { streams }) {
        const platform = await services.platform()
        const items = streams.map(({ streamId, layoutClasses }) => ({ id: streamId, layoutClassList: layoutClasses }))
        await platform.setStreamLayoutClasses({ sessionId, items })
        const changes = streams.map(
          ({ streamId, layoutClasses }) =>
            `The stream ${streamId} has ${layoutClasses.join(', ') || 'no layout class'}.`,
        )
        return { happened: [{ what: 'control.layoutClasses', detail: changes.join(' ') }] }
      },
    },
  )
