import { element } from '../../dom.ts'
import type { ExecutionAnswer, Show } from '../answers.ts'
import { readExecution } from '../api.ts'
import { timeNow } from '../clock.ts'
import { createButton } from '../controls/control-group.ts'
import { createBarList } from './bar-list.ts'
import { createExecutionActions } from './execution-actions.ts'
import { createFold, type Fold } from './fold.ts'
import { waterfallOf } from './waterfall.ts'

type State = ExecutionAnswer['states'][number]

const STATUSES = {
  running: 'is running',
  succeeded: 'has succeeded',
  failed: 'has failed',
  timedOut: 'has timed out',
  aborted: 'was aborted',
} as const

/** The fold of an execution, which offers to publish the recordings of its show again. */
interface ExecutionView extends Fold {
  update(show: Show): void
}

/** Creates the fold with the state machine's run as a waterfall. A row that is picked shows input, output and errors. */
export function createExecutionView({ showId, name }: Pick<Show, 'showId' | 'name'>): ExecutionView {
  const heading = element('p', { class: 'quiet' })
  const back = createButton('Back to the show', () => void open(undefined))
  const closing = createButton('Open the execution that closes the show', () => {
    const last = latest?.closings.at(-1)
    if (last) void open({ machine: 'show', name: last })
  })
  const link = element('a', { target: '_blank', rel: 'noopener noreferrer' }, 'Open in the AWS console')
  const chart = createBarList(`Execution of ${name}`, (key) => pick(Number(key)))
  const detail = element('div', { class: 'state-detail', tabindex: '-1' })
  const content = element('div', { class: 'execution' })
  const actions = createExecutionActions({ showId, name }, () => read())
  let child: State['child']
  let latest: ExecutionAnswer | undefined
  let picked: number | undefined

  async function read(): Promise<void> {
    const asked = child
    const answer = await readExecution(showId, asked)
    if (asked !== child) return
    latest = answer
    if (content.childElementCount === 0)
      content.append(
        element('div', { class: 'links' }, heading, back, closing, link),
        actions.element,
        chart.element,
        detail,
      )
    heading.textContent = `Machine ${answer.machine} ${STATUSES[answer.status]}.${answer.error ? ` ${answer.error}: ${answer.cause ?? ''}` : ''}`
    back.hidden = asked === undefined
    closing.hidden = answer.machine !== 'show' || [undefined, answer.name].includes(answer.closings.at(-1))
    actions.offer(answer)
    link.hidden = answer.consoleUrl === undefined
    if (answer.consoleUrl) link.href = answer.consoleUrl
    chart.update(waterfallOf(answer, timeNow()))
    drawDetail()
  }
  async function open(next: State['child']): Promise<void> {
    child = next
    picked = undefined
    await read().catch((error: Error) => {
      heading.textContent = error.message
    })
    chart.element.querySelector<HTMLButtonElement>('.bar-row[tabindex="0"]')?.focus()
  }
  function pick(id: number): void {
    picked = picked === id ? undefined : id
    drawDetail()
  }
  function drawDetail(): void {
    const state = latest?.states.find(({ id }) => id === picked)
    detail.hidden = !state
    const key = JSON.stringify(state)
    if (!state || detail.dataset.key === key) return
    detail.dataset.key = key
    detail.replaceChildren(...detailsOf(state, (next) => void open(next)))
  }
  return { ...createFold('Execution', { showId, tab: 'execution' }, content, read), update: actions.update }
}

function detailsOf(state: State, openChild: (child: State['child']) => void): HTMLElement[] {
  const { name, input, output, attempts, child } = state
  const text = (title: string, value: string | undefined) =>
    value === undefined ? [] : [element('h4', {}, title), createText(title, pretty(value))]
  const failures = attempts.flatMap(({ error, cause }, index) =>
    error === undefined ? [] : text(`Error of attempt ${index + 1}`, [error, cause].filter(Boolean).join(': ')),
  )
  return [
    element('h3', {}, name),
    ...(child ? [createButton(`Open the execution of ${child.machine}`, () => openChild(child))] : []),
    ...failures,
    ...text('Input', input),
    ...text('Output', output),
  ]
}

/** Creates a text that scrolls, also by the keyboard. */
export function createText(label: string, text: string): HTMLPreElement {
  return element('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text)
}

/** Indents a payload. One that was shortened is no longer JSON, and stays as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
