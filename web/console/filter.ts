import { byId } from '../dom.ts'
import { statusLabels } from './labels.ts'
import { filterQuery } from './show-list.ts'

/** Connects the form that filters shows. @returns its query, which is empty if nothing is filtered */
export function connectFilter(changed: () => void) {
  const form = byId('form', 'filter')
  const status = byId('select', 'filter-status')
  const [label, from, to] = [byId('input', 'filter-label'), byId('input', 'filter-from'), byId('input', 'filter-to')]
  const options = Object.entries(statusLabels).map(([value, text]) => new Option(text, value))
  status.replaceChildren(new Option('Any', ''), ...options)
  let query: Readonly<Record<string, string>> = {}
  const apply = () => {
    if (!form.reportValidity()) return
    query = filterQuery({ status: status.value, label: label.value.trim(), from: from.value, to: to.value })
    changed()
  }
  form.addEventListener('change', apply)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    apply()
  })
  return {
    query: () => query,
    isActive: () => Object.keys(query).length > 0,
    show(isShown: boolean) {
      form.hidden = !isShown
    },
  }
}
