import { element, type View } from '../../dom.ts'
import type { Show } from '../answers.ts'
import { act } from '../api.ts'
import { createControlGroup } from './control-group.ts'
import { describeControl, reasonAgainst } from './control-state.ts'

/** Characters of a title. */
const MAX_TITLE = '100'

/** Creates the form that sets a marker in a live show, at which a chapter of its recordings begins. */
export function createMarkerControl({ showId, name }: Pick<Show, 'showId' | 'name'>): View<Show> {
  const title = element('input', {
    ...{ type: 'text', maxlength: MAX_TITLE, placeholder: 'Questions', required: '' },
    'aria-label': `Title of a marker in ${name}`,
    'data-action': 'marker',
  })
  const set = element('button', { type: 'submit', class: 'plain small' }, 'Set marker')
  const form = element('form', { class: 'row' }, title, set)
  const group = createControlGroup('Marker', form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const label = title.value.trim()
    if (!label) return
    void group.run('Setting the marker …', async () => {
      const answer = await act(({ controls }) => controls.setMarker(showId, { label }))
      title.value = ''
      return describeControl(answer, 'The marker was set')
    })
  })
  return { element: group.element, update: (show) => group.refuse(reasonAgainst('change', show)) }
}
