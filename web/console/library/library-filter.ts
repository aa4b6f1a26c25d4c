import { byId } from '../../dom.ts'
import { filterQuery } from '../show-list.ts'
import type { LibraryQuery } from './library-pages.ts'

/** Milliseconds after the last character before a search begins. */
const TYPING_MS = 300

/** Connects the form that filters recordings. @param changed receives the query, which is empty if nothing is filtered */
export function connectLibraryFilter(changed: (query: LibraryQuery) => void): void {
  const form = byId('form', 'library-filter')
  const [name, label] = [byId('input', 'library-name'), byId('input', 'library-label')]
  const [from, to] = [byId('input', 'library-from'), byId('input', 'library-to')]
  let typing: ReturnType<typeof setTimeout> | undefined
  let applied = ''
  const apply = () => {
    clearTimeout(typing)
    if (!form.checkValidity()) return
    const filter = { status: '', label: label.value.trim(), from: from.value, to: to.value }
    const query = { ...(name.value.trim() && { name: name.value.trim() }), ...filterQuery(filter) }
    if (JSON.stringify(query) === applied) return
    applied = JSON.stringify(query)
    changed(query)
  }
  form.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(apply, TYPING_MS)
  })
  form.addEventListener('change', apply)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.reportValidity()) apply()
  })
}
