import { element } from '../../dom.ts'
import type { ListedStream, Show } from '../answers.ts'
import { isBusy } from '../model.ts'
import { createBarList } from './bar-list.ts'
import { createCostView } from './cost-view.ts'
import { createDeliveriesView } from './deliveries-view.ts'
import { createExecutionView } from './execution-view.ts'
import { createSeenParticipants } from './seen-participants.ts'
import { timelineOf } from './timeline-rows.ts'

/** The course of a show on its card: its timeline, and folds with its execution, deliveries and cost. */
export interface ShowRoom {
  readonly element: HTMLElement
  update(state: {
    readonly show: Show
    readonly streams: readonly ListedStream[] | undefined
    readonly now: number
  }): void
}

/** Creates the course of a show. A fold is read only while it is open, and the cost only when it is opened. */
export function createShowRoom({ showId, name }: Pick<Show, 'showId' | 'name'>): ShowRoom {
  const seen = createSeenParticipants()
  const chart = createBarList(`Course of ${name}`)
  const execution = createExecutionView({ showId, name })
  const deliveries = createDeliveriesView(showId, name)
  const cost = createCostView(showId, name)
  return {
    element: element('div', { class: 'room' }, chart.element, execution.element, deliveries.element, cost.element),
    update({ show, streams, now }) {
      chart.update(timelineOf(show, seen.note(streams, now), now))
      execution.element.hidden = show.status === 'scheduled'
      execution.update(show)
      deliveries.element.hidden = show.document?.callback === undefined
      cost.element.hidden = show.status === 'scheduled'
      for (const fold of [execution, deliveries]) fold.refresh(now, isBusy([show], now))
    },
  }
}
