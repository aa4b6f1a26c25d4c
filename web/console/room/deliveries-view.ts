import { createList, element, setText, type View } from '../../dom.ts'
import { timeOfDay } from '../../format.ts'
import type { ListedDelivery } from '../answers.ts'
import { act, listDeliveries } from '../api.ts'
import { createButton, createControlGroup } from '../controls/control-group.ts'
import { createText } from './execution-view.ts'
import { createFold, type Fold } from './fold.ts'

const STATUSES: Readonly<Record<ListedDelivery['status'], string>> = {
  pending: 'not sent yet',
  delivered: 'delivered',
  gone: 'not wanted: the app has answered 410',
  refused: 'refused',
  failing: 'failed so far',
}

/** Creates the fold with the deliveries of a show's events to its callback. Each can be replayed. */
export function createDeliveriesView(showId: string, name: string): Fold {
  const list = element('ol', { class: 'deliveries', 'aria-label': `Deliveries of ${name}` })
  const empty = element('p', { class: 'quiet' })
  const content = element('div')
  const update = createList<ListedDelivery>(
    list,
    ({ deliveryId }) => deliveryId,
    (one) => createDelivery(showId, one),
  )
  return createFold('Deliveries', { showId, tab: 'deliveries' }, content, async () => {
    const items = await listDeliveries(showId)
    if (content.childElementCount === 0) content.append(list, empty)
    setText(empty, items.length === 0 ? 'No event has happened yet.' : undefined)
    update(items)
  })
}

function createDelivery(showId: string, { deliveryId, event }: ListedDelivery): View<ListedDelivery> {
  const status = element('span', { class: 'status' })
  const label = [event.event, event.name, event.output].filter(Boolean).join(' ')
  const time = element('time', { datetime: event.at }, timeOfDay(event.at))
  const attempts = element('ol', { class: 'attempts' })
  const body = createText(`Body of ${label}`, '')
  const bodyFold = element('details', {}, element('summary', {}, 'Body'), body)
  const replay = createButton(
    'Replay',
    () =>
      void group.run('Replaying …', async () => {
        await act(({ shows }) => shows.replay(showId, deliveryId))
        return 'It is posted again. Its attempt appears here.'
      }),
    `Replay ${label} of ${timeOfDay(event.at)}`,
  )
  const group = createControlGroup(`Replay of ${label}, ${timeOfDay(event.at)}`, replay)
  const root = element(
    'li',
    { class: 'delivery' },
    element('p', { class: 'delivery-head' }, time, element('strong', {}, label), status),
    attempts,
    bodyFold,
    group.element,
  )
  const updateAttempts = createList<Attempt>(attempts, ({ key }) => key, createAttempt)
  return {
    element: root,
    update(delivery) {
      root.dataset.status = delivery.status
      setText(status, STATUSES[delivery.status])
      updateAttempts(delivery.attempts.map((one, index) => ({ ...one, key: `${one.at} ${index}` })))
      const text = JSON.stringify(delivery.event, null, 2)
      if (body.textContent !== text) body.textContent = text
    },
  }
}

type Attempt = ListedDelivery['attempts'][number] & { readonly key: string }

function createAttempt({ at, duration, status, problem, verified, keyId }: Attempt): View<Attempt> {
  const answer = status === undefined ? `no answer (${problem})` : `answer ${status}`
  const check = verified ? 'signature verified' : 'the signature did not verify'
  const text = `${timeOfDay(at)}: ${answer} after ${duration.toFixed(2)} s, ${check}`
  return { element: element('li', { title: `Key ${keyId}` }, text), update() {} }
}
