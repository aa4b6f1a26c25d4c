import type { Operation } from '../../lib/platform/contract/operation.ts'
import type { JsonSchema } from '../../lib/platform/contract/operations/openapi.ts'
import { type Flag, flagsOf, kebab } from './flags.ts'

/** What stands for a flag's value in the help. */
export const placeholders = {
  text: ' <text>',
  number: ' <number>',
  boolean: ' [true|false]',
  list: ' <text>',
  object: ' [json]',
  json: ' <json>',
} as const satisfies Record<Flag['kind'], string>

/** A flag's line in the help: what it takes, within which limits, and what counts without it. */
export function describeFlag({ path, kind, schema, required, secret, form }: Flag): string {
  const { enum: values, const: fixed, default: standard, description, format } = schema
  return [
    description?.replace(/\.$/, ''),
    values ? `one of ${values.join(', ')}` : fixed !== undefined ? String(fixed) : '',
    format === 'uri' ? 'a URL' : '',
    limitsOf(schema),
    kind === 'list' ? 'may be repeated' : '',
    kind === 'object' ? 'as JSON, {} without a value' : '',
    kind === 'json' ? jsonWords(schema) : '',
    form ? `only ${form}` : '',
    standard === undefined ? '' : `default ${JSON.stringify(standard)}`,
    required ? `required${path.length > 1 ? ` with --${path.slice(0, -1).map(kebab).join('.')}` : ''}` : '',
    secret ? 'secret: better in a file for --body' : '',
  ]
    .filter(Boolean)
    .join('; ')
}

const jsonWords = ({ type, items }: JsonSchema) =>
  type === 'array' || items ? 'a list as JSON' : type === 'object' ? 'an object of names and values as JSON' : 'as JSON'

function limitsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, pattern }: JsonSchema): string {
  return [
    range(minimum, maximum, ''),
    minLength === 1 && maxLength === undefined ? '' : range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    pattern ? `must match ${pattern}` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
  if (most !== undefined) return `at most ${most}${unit}`
  return least === undefined ? '' : `at least ${least}${unit}`
}

/** What follows the options in an operation's help: its answers and an example. */
export function describeOperation(name: string, operation: Operation): string {
  const { id, method, path, success, errors } = operation
  const statuses = Object.entries({ [success.status]: 'Success.', ...errors })
  return [
    '',
    `${id}, ${method} ${path}`,
    '',
    'Answers:',
    ...statuses.map(([status, cause]) => `  ${status}  ${cause}`),
    '',
    'Example:',
    `  npm run showrunner -- ${exampleOf(name, operation).map(quoted).join(' ')}`,
  ].join('\n')
}

/** The contract's example as arguments of the command line. */
export function exampleOf(name: string, operation: Operation): string[] {
  const { request } = operation.example
  const flags = flagsOf(operation)
  const written = flags.flatMap((flag) => {
    const value = valueAt(request, flag.path)
    if (value === undefined) return []
    if (flag.kind === 'list') return (value as readonly string[]).flatMap((item) => [`--${flag.name}`, item])
    if (flag.kind === 'object') return Object.keys(value as object).length > 0 ? [] : [`--${flag.name}`]
    return [`--${flag.name}`, flag.kind === 'json' ? JSON.stringify(value) : String(value)]
  })
  return ['platform', name, ...written, '--json']
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)

/** As a shell takes it for one word. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
