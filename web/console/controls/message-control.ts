import { element, type View } from '../../dom.ts'
import type { Show } from '../answers.ts'
import { act } from '../api.ts'
import { createControlGroup } from './control-group.ts'
import { describeControl, reasonAgainst } from './control-state.ts'

/** Type of the signal, which the join page shows in its chat. */
const CHAT = 'chat'
/** Characters, each of at most 4 bytes, within the platform's limit of 8 kB. */
const MAX_MESSAGE = 1_000

/** Creates the form that sends a message to all participants. */
export function createMessageControl({ showId, name }: Pick<Show, 'showId' | 'name'>): View<Show> {
  const input = element('input', {
    type: 'text',
    maxlength: String(MAX_MESSAGE),
    placeholder: 'We begin in a minute.',
    'aria-label': `Message to the participants of ${name}`,
    required: '',
    'data-action': 'announce',
  })
  const send = element('button', { type: 'submit', class: 'plain small' }, 'Send')
  const form = element('form', { class: 'row' }, input, send)
  const group = createControlGroup('Message to all participants', form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const data = input.value.trim()
    if (!data) return
    void group.run('Sending the message …', async () => {
      const answer = await act(({ controls }) => controls.signal(showId, { type: CHAT, data }))
      input.value = ''
      return describeControl(answer, 'The message was sent')
    })
  })
  return { element: group.element, update: (show) => group.refuse(reasonAgainst('signal', show)) }
}
