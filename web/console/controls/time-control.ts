import { element, type View } from '../../dom.ts'
import { timeOfDay } from '../../format.ts'
import type { Show } from '../answers.ts'
import { act } from '../api.ts'
import { confirmAction } from './confirm.ts'
import { createButton, createControlGroup } from './control-group.ts'
import { describeControl, movedEnd, reasonAgainst } from './control-state.ts'

/** Minutes by which the end is moved. */
const MOVES = [-5, 5, 15] as const
/** Moves that a key makes. */
const KEYED: Readonly<Record<number, string>> = { [-5]: 'shorten', 5: 'extend' }
const labelOf = (minutes: number) => `${minutes > 0 ? '+' : '−'}${Math.abs(minutes)} min`

/** Creates the buttons that move the end of a show. */
export function createEndControl(first: Show): View<Show> {
  let show = first
  const buttons = MOVES.map((minutes) =>
    createButton(
      labelOf(minutes),
      () => {
        const endsAt = movedEnd(show, minutes)
        if (endsAt === undefined) return
        void group.run(`Moving the end to ${timeOfDay(endsAt)} …`, async () => {
          const answer = await act(({ controls }) => controls.change(show.showId, { endsAt }))
          return answer.timeline.length > 0 ? `The show ends at ${timeOfDay(endsAt)}.` : describeControl(answer, '')
        })
      },
      `${labelOf(minutes)} for ${first.name}`,
    ),
  )
  for (const [index, minutes] of MOVES.entries()) {
    const action = KEYED[minutes]
    const button = buttons[index]
    if (action && button) button.dataset.action = action
  }
  const group = createControlGroup('Move the end', element('div', { class: 'buttons' }, ...buttons))
  return {
    element: group.element,
    update(next) {
      show = next
      group.refuse(reasonAgainst('change', show))
    },
  }
}

/** Creates the button that stops a show, after a confirmation. */
export function createStopControl({ showId, name }: Pick<Show, 'showId' | 'name'>): View<Show> {
  const button = element(
    'button',
    { type: 'button', class: 'danger small', 'aria-label': `Stop the show ${name}`, 'data-action': 'stop' },
    'Stop the show',
  )
  const group = createControlGroup('Stop', button)
  button.addEventListener('click', async () => {
    const isConfirmed = await confirmAction({
      title: `Stop ${name}?`,
      text: 'Recordings and broadcasts end at once, for all viewers. A show that is stopped cannot be started again.',
      action: 'Stop the show',
    })
    if (!isConfirmed) return
    await group.run('Stopping the show …', async () =>
      describeControl(await act(({ controls }) => controls.stop(showId)), 'Stopped'),
    )
  })
  return {
    element: group.element,
    update: (show) => group.refuse(reasonAgainst('stop', show)),
  }
}

/** Creates the button that deletes a scheduled show, after a confirmation. */
export function createDeletionControl({ showId, name }: Pick<Show, 'showId' | 'name'>): View<Show> {
  const button = element(
    'button',
    { type: 'button', class: 'danger small', 'aria-label': `Delete the show ${name}` },
    'Delete the show',
  )
  const group = createControlGroup('Delete', button)
  button.addEventListener('click', async () => {
    const isConfirmed = await confirmAction({
      title: `Delete ${name}?`,
      text: 'The show will not start. A recurring show does not start again. This cannot be undone.',
      action: 'Delete the show',
    })
    if (!isConfirmed) return
    await group.run('Deleting the show …', async () => {
      await act(({ shows }) => shows.unschedule(showId))
      return 'The show will not start.'
    })
  })
  return { element: group.element, update: () => {} }
}
