import { byId, element, setText } from '../../dom.ts'
import { actionOf, HELP_KEY, type KeyAction, keyActions } from './key-list.ts'

/** Name under which the browser keeps that a user has turned keys off. */
const OFF = 'showrunner-keys-off'
/** Milliseconds for which the line of a key stays. */
const LINE_MS = 6_000

/** Connects the keys of the page. They act on the show that has the focus, else on the first that runs. */
export function connectKeys(): void {
  const line = byId('p', 'key-line')
  let clear: ReturnType<typeof setTimeout> | undefined
  const report = (text: string) => {
    clearTimeout(clear)
    setText(line, text)
    clear = setTimeout(() => setText(line, undefined), LINE_MS)
  }
  byId('button', 'keys').addEventListener('click', showHelp)
  document.addEventListener('keydown', (event) => {
    const { target } = event
    const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea')
    const action = actionOf(event, isTyping || document.querySelector('dialog[open]') !== null)
    if (action === undefined || (action !== 'help' && isOff())) return
    event.preventDefault()
    if (action === 'help') showHelp()
    else act(action, report)
  })
}

const isOff = () => localStorage.getItem(OFF) !== null

/** Carries out an action: a button is clicked, and a field gets the focus. */
function act(action: KeyAction, report: (text: string) => void): void {
  const focused = document.activeElement?.closest('.show')
  const place = action === 'search' ? document : (focused ?? document.querySelector('#now .show'))
  const controls = [...(place?.querySelectorAll<HTMLElement>(`[data-action="${action}"]`) ?? [])]
  const control = controls.find((one) => !one.hidden)
  const group = control?.closest('fieldset')
  const reason = !place
    ? 'No show is running.'
    : !control
      ? 'The show does not allow this now.'
      : group?.disabled && (group.querySelector('.control-line')?.textContent || 'This is not possible now.')
  if (reason || !control) report(reason || '')
  else use(control)
}

function use(control: HTMLElement): void {
  for (let fold = control.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  control.focus()
  if (control.localName === 'button') control.click()
}

function showHelp(): void {
  const heading = element('h2', { id: 'keys-title' }, 'Keys')
  const all = [...keyActions, { key: HELP_KEY, label: 'List the keys' }]
  const list = element(
    'dl',
    { class: 'keys' },
    ...all.map(({ key, label }) =>
      element('div', {}, element('dt', {}, element('kbd', {}, key)), element('dd', {}, label)),
    ),
  )
  const off = element('input', { type: 'checkbox' })
  off.checked = isOff()
  off.addEventListener('change', () => (off.checked ? localStorage.setItem(OFF, '1') : localStorage.removeItem(OFF)))
  const close = element('button', { type: 'button', class: 'plain' }, 'Close')
  const dialog = element(
    'dialog',
    { 'aria-labelledby': heading.id },
    heading,
    element('p', { class: 'quiet' }, 'They act on the show that has the focus, else on the first that runs.'),
    list,
    element('label', {}, off, ' Turn these keys off, except ?'),
    element('div', { class: 'answers' }, close),
  )
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
