import { element } from '../../dom.ts'

/** Milliseconds for which a result stays. A problem stays until the next try. */
const RESULT_MS = 20_000

/** Name of the event that bubbles from a group once an action is over, so that the page reads the shows again. */
export const ACTED = 'acted'

/** Controls of one purpose, with a line for their pending action and its outcome. */
export interface ControlGroup {
  readonly element: HTMLFieldSetElement
  /** Disables the controls with a reason, or enables them. */
  refuse(reason: string | undefined): void
  /** Shows that an action is pending, then its result or its problem. A second action meanwhile is ignored. */
  run(pending: string, action: () => Promise<string>): Promise<void>
}

/** Creates a group of controls. Its line has a fixed place, so that nothing moves when it is filled. */
export function createControlGroup(title: string, ...controls: Node[]): ControlGroup {
  const line = element('p', { class: 'control-line', role: 'status' })
  const root = element('fieldset', { class: 'control' }, element('legend', {}, title), ...controls, line)
  let reason: string | undefined
  let isPending = false
  let clear: ReturnType<typeof setTimeout> | undefined
  const show = (kind: 'pending' | 'done' | 'problem' | 'reason', text = '') => {
    clearTimeout(clear)
    if (line.dataset.kind !== kind) line.dataset.kind = kind
    if (line.textContent !== text) line.textContent = text
  }
  return {
    element: root,
    refuse(next) {
      root.disabled = next !== undefined
      if (next === reason) return
      reason = next
      if (!isPending && line.dataset.kind !== 'problem') show('reason', reason)
    },
    async run(pending, action) {
      if (isPending) return
      isPending = true
      root.setAttribute('aria-busy', 'true')
      show('pending', pending)
      try {
        show('done', await action())
        clear = setTimeout(() => show('reason', reason), RESULT_MS)
      } catch (error) {
        show('problem', (error as Error).message)
      }
      isPending = false
      root.removeAttribute('aria-busy')
      root.dispatchEvent(new Event(ACTED, { bubbles: true }))
    },
  }
}

/** Creates a small button. @param label its accessible name, if the text needs the context of a list */
export function createButton(text: string, onClick: () => void, label?: string): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'plain small', ...(label && { 'aria-label': label }) },
    text,
  )
  button.addEventListener('click', onClick)
  return button
}

/** Creates a field with its label. */
export function createField(label: string, input: HTMLElement): HTMLLabelElement {
  return element('label', { class: 'field' }, element('span', {}, label), input)
}
