import { element } from '../../dom.ts'

export interface Question {
  readonly title: string
  readonly text: string
  /** Label of the button that confirms. */
  readonly action: string
}

/** Asks before something irreversible. Escape and Cancel decline. @returns true if the user confirms */
export function confirmAction({ title, text, action }: Question): Promise<boolean> {
  const heading = element('h2', { id: 'question-title' }, title)
  const cancel = element('button', { type: 'button', class: 'plain' }, 'Cancel')
  const confirm = element('button', { type: 'button', class: 'danger' }, action)
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'question-title' },
    heading,
    element('p', {}, text),
    element('div', { class: 'answers' }, cancel, confirm),
  )
  document.body.append(dialog)
  return new Promise((resolve) => {
    cancel.addEventListener('click', () => dialog.close())
    confirm.addEventListener('click', () => dialog.close('confirmed'))
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'confirmed')
    })
    dialog.showModal()
  })
}
