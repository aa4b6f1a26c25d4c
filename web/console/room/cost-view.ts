import { element } from '../../dom.ts'
import { readCost } from '../api.ts'
import { costRows } from './cost-rows.ts'
import { createFold, type Fold } from './fold.ts'

/** Creates the fold with what a show has cost, beside its estimate. Each reading costs requests, so it is not repeated. */
export function createCostView(showId: string, name: string): Fold {
  const content = element('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': `Cost of ${name}` })
  return createFold('Cost', { showId, tab: 'cost' }, content, async () => {
    const cost = await readCost(showId)
    const head = ['Item', 'Counted so far', 'Estimated'].map((title) => element('th', { scope: 'col' }, title))
    const rows = costRows(cost).map(({ item, counted, estimated }) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, item),
        element('td', {}, counted),
        element('td', {}, estimated),
      ),
    )
    content.replaceChildren(
      element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)),
      element('p', { class: 'quiet' }, notesOf(cost)),
    )
  })
}

function notesOf({ region, asOf, missingExecutions }: Awaited<ReturnType<typeof readCost>>): string {
  const prices = `List prices of ${region}, ${asOf}, without the video platform.`
  return missingExecutions === 0 ? prices : `${prices} ${missingExecutions} executions have no history any more.`
}
