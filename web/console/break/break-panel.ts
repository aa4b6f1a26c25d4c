import { byId, createList, element, type View } from '../../dom.ts'
import type { KnownShow, ListedStream } from '../answers.ts'
import { clearFaults, cutConnection, killFfmpeg, listFaults, orderFault, readClock } from '../api.ts'
import { setAhead } from '../clock.ts'
import { createButton, createControlGroup, createField } from '../controls/control-group.ts'
import { createClockControl } from './clock-control.ts'
import { breakableOperations, describeFault, faultChoices, type OrderedFault } from './fault-choices.ts'

/** A participant whose connection can be cut. */
interface Cuttable {
  readonly sessionId: string
  readonly streamId: string
  readonly name: string
}

/** Milliseconds after which ordered faults are listed again. */
const REFRESH_MS = 2_000

/** Creates the panel that breaks the sandbox, and what runs on this machine. */
export function connectBreakPanel(): View<readonly Cuttable[]> {
  const root = byId('details', 'break')
  const operation = createChoice(Object.entries(breakableOperations))
  const fault = createChoice(faultChoices.map(({ label }, index) => [String(index), label]))
  const times = element('input', { type: 'number', min: '1', max: '100', value: '1' })
  const list = element('ul', { class: 'faults', 'aria-label': 'Ordered faults' })
  const clear = createButton('Clear all faults', () => void faults.run('Clearing …', () => clearAll()))
  const order = element('button', { type: 'submit', class: 'plain small' }, 'Order the fault')
  const form = element(
    'form',
    { class: 'fields' },
    ...[createField('Operation', operation), createField('Fault', fault), createField('Times', times), order],
  )
  const faults = createControlGroup('Faults of the platform', form, list, clear)
  const update = createList<OrderedFault>(list, ({ id }) => id, createOrdered)
  const participant = element('select')
  const cut = createButton('Cut the connection', () => void connections.run('Cutting …', () => cutChosen()))
  const connections = createControlGroup(
    'Participants',
    element('div', { class: 'row' }, createField('Participant', participant), cut),
  )
  const kill = createButton('Kill an ffmpeg', () => {
    void programs.run('Killing …', async () => `Process ${(await killFfmpeg()).pid} was killed.`)
  })
  const programs = createControlGroup('Programs', kill)
  const clock = createClockControl()
  byId('div', 'break-content').append(faults.element, connections.element, programs.element, clock.element)
  root.hidden = false

  let readAt = 0
  const refresh = async () => {
    readAt = Date.now()
    const [{ items }, { ahead }] = await Promise.all([listFaults(), readClock()])
    setAhead(ahead)
    update(items)
  }
  async function clearAll(): Promise<string> {
    await clearFaults()
    await refresh()
    return 'No fault is ordered.'
  }
  async function cutChosen(): Promise<string> {
    const { sessionId, streamId } = JSON.parse(participant.value) as Cuttable
    await cutConnection(sessionId, streamId)
    return 'The connection was cut.'
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void faults.run('Ordering …', async () => {
      const chosen = faultChoices[Number(fault.value)]?.fault
      await orderFault({ operation: operation.value, times: Number(times.value), fault: chosen })
      await refresh()
      return 'The fault is ordered. The list has how often it still strikes.'
    })
  })
  return {
    element: root,
    update(participants) {
      if (!root.open) return
      if (Date.now() - readAt >= REFRESH_MS) void refresh().catch(() => {})
      clock.update()
      connections.refuse(participants.length === 0 ? 'No participant publishes.' : undefined)
      const values = participants.map((one) => JSON.stringify(one))
      if (values.join() === [...participant.options].map(({ value }) => value).join()) return
      const { value: chosen } = participant
      participant.replaceChildren(...participants.map((one, index) => new Option(one.name, values[index])))
      if (values.includes(chosen)) participant.value = chosen
    },
  }
}

/** Returns the participants of running shows. */
export const cuttableIn = (shows: readonly KnownShow[], streams: ReadonlyMap<string, readonly ListedStream[]>) =>
  shows.flatMap(({ showId, sessionId, name: show }) =>
    (sessionId === undefined ? [] : (streams.get(showId) ?? []))
      .filter(({ scene, dialIn }) => scene === undefined && dialIn === undefined)
      .map(({ streamId, name }) => ({
        sessionId: sessionId ?? '',
        streamId,
        name: `${name || 'Without a name'}, ${show}`,
      })),
  )

function createChoice(options: readonly (readonly [value: string, label: string])[]): HTMLSelectElement {
  const choice = element('select')
  choice.append(...options.map(([value, label]) => new Option(label, value)))
  return choice
}

function createOrdered(): View<OrderedFault> {
  const item = element('li')
  return {
    element: item,
    update(ordered) {
      const text = describeFault(ordered)
      if (item.textContent !== text) item.textContent = text
    },
  }
}
