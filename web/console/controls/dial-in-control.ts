import { element, type View } from '../../dom.ts'
import type { Show } from '../answers.ts'
import { act } from '../api.ts'
import { confirmAction } from './confirm.ts'
import { createControlGroup, createField } from './control-group.ts'
import { describeControl, freeName, reasonAgainst } from './control-state.ts'

/** Creates the form that calls a telephone or a conference into the session, after a confirmation. */
export function createDialInControl({ showId, name: showName }: Pick<Show, 'showId' | 'name'>): View<Show> {
  let names: readonly string[] = []
  const name = element('input', { type: 'text', maxlength: '64', required: '' })
  const uri = element('input', {
    ...{ type: 'text', required: '', placeholder: 'sip:stage@example.com', pattern: '[Ss][Ii][Pp][Ss]?:.+' },
    ...{ title: 'A SIP URI, such as sip:stage@example.com', 'data-action': 'dialIn' },
  })
  const dial = element('button', { type: 'submit', class: 'plain small' }, 'Dial')
  const form = element('form', { class: 'fields' }, createField('Name', name), createField('SIP address', uri), dial)
  const group = createControlGroup('Dial in', form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const order = { name: name.value.trim(), uri: uri.value.trim() }
    const isConfirmed = await confirmAction({
      title: `Dial ${order.uri}?`,
      text: `The callee is heard in ${showName} as soon as they answer. The call is placed once and cannot be taken back.`,
      action: 'Dial',
    })
    if (!isConfirmed) return
    await group.run(`Dialing ${order.name} …`, async () => {
      const answer = await act(({ controls }) => controls.addDialIn(showId, order))
      uri.value = ''
      name.value = freeName([...names, order.name], 'call')
      return describeControl(answer, `${order.name} was dialed`)
    })
  })
  return {
    element: element('details', { class: 'more' }, element('summary', {}, 'Dial in'), group.element),
    update(show) {
      names = show.dialIns.map((one) => one.name)
      if (name.value === '' && document.activeElement !== name) name.value = freeName(names, 'call')
      group.refuse(reasonAgainst('dialIn', show))
    },
  }
}
