import { MAX_MARKERS } from '../../../lib/api/controls.ts'
import { secondsOf } from '../../../lib/show/document/fields/moments.ts'
import { ApiProblem } from '../../http/problem.ts'
import { controlRoute } from './control.ts'

/** `POST /shows/{id}/markers`: marks a time of a live show. Nothing is sent to the platform. */
export const postMarker = controlRoute('marker', {
  async carryOut({ liveAt = '', plannedEndAt = '' }, { label: title, at }, { clock }, { id }) {
    const began = Date.parse(liveAt)
    const seconds = secondsOf(at ?? new Date(clock.now()).toISOString(), began)
    const time = began + seconds * 1000
    if (seconds < 0) throw refused(`must not be before the show went live, at ${liveAt}`)
    if (time >= Date.parse(plannedEndAt)) throw refused(`must be before the end of the show, at ${plannedEndAt}`)
    const marker = { id, at: new Date(time).toISOString(), title }
    return {
      happened: [{ what: 'control.marker', detail: `The marker ${title} is at ${Math.round(seconds * 10) / 10} s.` }],
      change(state) {
        const { markers = [] } = state
        if (markers.some((one) => one.id === id)) return state
        if (markers.length >= MAX_MARKERS)
          throw new ApiProblem('limit-reached', `This show has reached its limit of ${MAX_MARKERS} markers.`)
        return { ...state, markers: [...markers, marker] }
      },
    }
  },
})

const refused = (message: string) =>
  new ApiProblem('change-refused', 'The show does not allow this; see problems.', [{ path: 'at', message }])
