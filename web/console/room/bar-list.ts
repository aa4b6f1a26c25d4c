import { createList, element, setText, type View } from '../../dom.ts'
import { timeOfDay } from '../../format.ts'
import type { Bar, BarChart, BarRow } from './timeline-rows.ts'

/** A chart of bars over time. One row is in the order of tabs; arrow keys, Home and End move between rows. */
export interface BarList {
  readonly element: HTMLElement
  update(chart: BarChart): void
}

/**
 * Creates a chart. A line below it describes the row under the pointer or the keyboard.
 * @param label accessible name of the chart
 * @param onPick is called with the key of a row that is clicked. @default rows cannot be picked
 */
export function createBarList(label: string, onPick?: (key: string) => void): BarList {
  const [first, last] = [element('time'), element('time')]
  const axis = element('p', { class: 'axis' }, first, last)
  const rows = element('ol', { class: 'bars', 'aria-label': label })
  const line = element('p', { class: 'bar-text quiet', 'aria-hidden': 'true' })
  const describe = (text: string) => {
    if (line.textContent !== text) line.textContent = text
  }
  let domain = { from: 0, to: 1 }
  const create = ({ key }: BarRow): View<BarRow> =>
    createRow(
      () => domain,
      describe,
      () => onPick?.(key),
    )
  const update = createList<BarRow>(rows, ({ key }) => key, create)
  rows.addEventListener('keydown', (event) => moveFocus(rows, event))
  return {
    element: element('div', { class: 'chart' }, axis, rows, line),
    update({ from, to, rows: next }) {
      domain = { from, to: Math.max(to, from + 1) }
      setText(first, timeOfDay(new Date(from).toISOString()))
      setText(last, timeOfDay(new Date(to).toISOString()))
      update(next)
      const buttons = buttonsOf(rows)
      if (!buttons.some(({ tabIndex }) => tabIndex === 0) && buttons[0]) buttons[0].tabIndex = 0
    },
  }
}

function createRow(domain: () => { from: number; to: number }, describe: (text: string) => void, pick: () => void) {
  const name = element('span', { class: 'bar-label' })
  const track = element('span', { class: 'track' })
  const button = element('button', { type: 'button', class: 'bar-row', tabindex: '-1' }, name, track)
  let text = ''
  for (const event of ['focus', 'pointerenter']) button.addEventListener(event, () => describe(text))
  button.addEventListener('click', pick)
  const update = createList<Bar & { readonly key: string }>(
    track,
    ({ key }) => key,
    () => createBar(domain),
  )
  return {
    element: element('li', {}, button),
    update(row: BarRow) {
      text = row.text
      setText(name, row.label)
      name.style.paddingInlineStart = `${(row.depth ?? 0) * 0.8}rem`
      if (button.getAttribute('aria-label') !== text) button.setAttribute('aria-label', text)
      update(row.bars.map((bar, index) => ({ ...bar, key: String(index) })))
    },
  }
}

function createBar(domain: () => { from: number; to: number }): View<Bar> {
  const bar = element('span')
  return {
    element: bar,
    update({ from, to, tone }) {
      const { from: start, to: end } = domain()
      const share = (time: number) =>
        `${Math.min(100, Math.max(0, ((time - start) / (end - start)) * 100)).toFixed(3)}%`
      bar.className = `bar ${tone}`
      bar.style.left = share(from)
      bar.style.width = share(start + to - from)
    },
  }
}

const buttonsOf = (rows: HTMLElement) => [...rows.querySelectorAll<HTMLButtonElement>('.bar-row')]

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(count - 1, index + 1),
  ArrowUp: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_index, count) => count - 1,
}

function moveFocus(rows: HTMLElement, event: KeyboardEvent): void {
  const buttons = buttonsOf(rows)
  const from = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const step = STEPS[event.key]
  const next = step && from >= 0 ? buttons[step(from, buttons.length)] : undefined
  if (!next) return
  event.preventDefault()
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1
  next.focus()
}
