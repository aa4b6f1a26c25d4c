import { element, type View } from '../../dom.ts'
import type { Show } from '../answers.ts'
import { act } from '../api.ts'
import { createControlGroup, createField } from './control-group.ts'
import { broadcastOrderOf, describeControl, freeName, reasonAgainst } from './control-state.ts'

const KINDS = [
  ['hls', 'HLS, for browsers'],
  ['lowLatency', 'HLS with low latency'],
  ['rtmp', 'RTMP, to a server'],
] as const

/** Creates the form that adds a broadcast to a live show. */
export function createBroadcastControl({ showId }: Pick<Show, 'showId'>): View<Show> {
  let names: readonly string[] = []
  const name = element('input', { type: 'text', maxlength: '64', required: '', 'data-action': 'broadcast' })
  const kind = element('select')
  kind.append(...KINDS.map(([value, text]) => new Option(text, value)))
  const serverUrl = element('input', { type: 'text', placeholder: 'rtmps://live.example.com/app' })
  const secret = element('input', { type: 'text', placeholder: 'youtube#key' })
  const rtmp = [createField('Server', serverUrl), createField('Secret with the stream key', secret)]
  const add = element('button', { type: 'submit', class: 'plain small' }, 'Start the broadcast')
  const form = element('form', { class: 'fields' }, createField('Name', name), createField('Kind', kind), ...rtmp, add)
  const group = createControlGroup('Add a broadcast', form)
  const showFields = () => {
    for (const field of rtmp) field.hidden = kind.value !== 'rtmp'
    serverUrl.required = kind.value === 'rtmp'
    secret.required = kind.value === 'rtmp'
  }
  kind.addEventListener('change', showFields)
  showFields()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const order = broadcastOrderOf({
      name: name.value.trim(),
      kind: kind.value,
      serverUrl: serverUrl.value.trim(),
      secret: secret.value.trim(),
    })
    void group.run(`Starting the broadcast ${order.name} …`, async () => {
      const answer = await act(({ controls }) => controls.addBroadcast(showId, order))
      name.value = freeName([...names, order.name])
      return describeControl(answer, `The broadcast ${order.name} was started`)
    })
  })
  return {
    element: element('details', { class: 'more' }, element('summary', {}, 'Add a broadcast'), group.element),
    update(show) {
      names = [...show.broadcasts, ...show.recordings].map((one) => one.name)
      if (name.value === '' && document.activeElement !== name) name.value = freeName(names)
      group.refuse(reasonAgainst('broadcast', show))
    },
  }
}
