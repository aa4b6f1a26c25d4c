const MAX_WIDTH = 70

/** Formats a JSON value as a TypeScript literal: on one line if it is short, else one line per field or item. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = (deeper: string) =>
    Object.entries(value).map(([name, field]) => (isList ? '' : `${key(name)}: `) + literal(field, deeper))
  const [opening, closing] = isList ? ['[', ']'] : ['{ ', ' }']
  const line =
    parts(indent).length === 0
      ? `${opening}${closing}`.replaceAll(' ', '')
      : opening + parts(indent).join(', ') + closing
  if (indent.length + line.length <= MAX_WIDTH && !line.includes('\n')) return line
  const lines = parts(inner).map((part) => `${inner}${part},\n`)
  return `${opening.trim()}\n${lines.join('')}${indent}${closing.trim()}`
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name))

const text = (value: string) =>
  value.includes('\n') ? `\`${value.replace(/[\\`]|\$(?=\{)/g, '\\$&')}\`` : `'${value.replace(/['\\]/g, '\\$&')}'`
