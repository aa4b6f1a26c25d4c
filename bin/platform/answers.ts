import { isSecretField } from '../../lib/platform/client/http/redaction.ts'
import { columns } from '../operations/terminal-text.ts'

const HIDDEN = '[hidden]'

/** Replaces the values of secret fields, which are recognized by their names. `hidden` is true if there were any. */
export function hideSecrets(answer: unknown): { readonly shown: unknown; readonly hidden: boolean } {
  let hidden = false
  const shown = JSON.stringify(answer, (name, value) => {
    if (!isSecretField(name) || value === null || value === undefined || value === '') return value
    hidden = true
    return HIDDEN
  })
  return { shown: shown === undefined ? undefined : JSON.parse(shown), hidden }
}

/** Formats an answer for people: one field per line, and an empty line between the items of a list. */
export function answerLines(answer: unknown): string[] {
  if (answer === undefined) return ['Done.']
  if (Array.isArray(answer)) return itemLines(answer)
  const { items, count, ...rest } = answer as { items?: unknown; count?: unknown }
  if (!Array.isArray(items)) return fieldLines(answer)
  const others = Object.keys(rest).length > 0 ? fieldLines(rest) : []
  return [`${items.length} of ${count}`, ...others, ...(items.length > 0 ? ['', ...itemLines(items)] : [])]
}

const itemLines = (items: readonly unknown[]): string[] =>
  items.length === 0 ? ['None.'] : items.flatMap((item, index) => [...(index > 0 ? [''] : []), ...fieldLines(item)])

function fieldLines(value: unknown): string[] {
  return columns(flatten(value, '').map(([name, field]) => [name, formatValue(name, field)]))
}

/** Lists inner fields with their dotted names. Empty objects and lists stay values. */
function flatten(value: unknown, path: string): [string, unknown][] {
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isInner) return [[path, value]]
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, path ? `${path}.${name}` : name))
}

function formatValue(name: string, value: unknown): string {
  if (/(^|\.)(createdAt|updatedAt)$/.test(name) && typeof value === 'number')
    return `${value} (${new Date(value).toISOString()})`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
