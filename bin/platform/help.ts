import type { Operation } from '../../lib/platform/contract/operation.ts'
import type { JsonSchema } from '../../lib/platform/contract/operations/openapi.ts'
import { commandCall } from '../local/root.ts'
import { type Flag, flagsOf, kebab } from './flags.ts'

/** The placeholder of a flag's value in the help. */
export const placeholders = {
  text: ' <text>',
  number: ' <number>',
  boolean: ' [true|false]',
  list: ' <text>',
  object: ' [json]',
  json: ' <json>',
} as const satisfies Record<Flag['kind'], string>

/** Describes an argument beyond its type: its meaning, limits and default. */
export const describeArgument = ({ schema, form }: Pick<Flag, 'schema' | 'form'>): string =>
  joined([
    schema.description?.replace(/\.$/, ''),
    boundsOf(schema),
    form && `only ${form}`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ])

const joined = (facts: readonly (string | false | undefined)[]) => facts.filter(Boolean).join('; ')

/** Describes a flag for the help, with its type and its form on the command line. */
export function describeFlag({ path, kind, schema, required, secret, form }: Flag): string {
  const { enum: values, const: fixed, format, pattern } = schema
  return joined([
    values ? `one of ${values.join(', ')}` : fixed !== undefined && String(fixed),
    format === 'uri' && 'a URL',
    describeArgument({ schema, ...(form && { form: kebab(form) }) }),
    pattern && `must match ${pattern}`,
    kind === 'list' && 'may be repeated',
    kind === 'object' && 'as JSON, {} without a value',
    kind === 'json' && describeJson(schema),
    required && `required${path.length > 1 ? ` with --${path.slice(0, -1).map(kebab).join('.')}` : ''}`,
    secret && 'secret: better in a file for --body',
  ])
}

const describeJson = ({ type, items }: JsonSchema) =>
  type === 'array' || items ? 'a list as JSON' : type === 'object' ? 'an object of names and values as JSON' : 'as JSON'

/**
 * Describes the bounds of a value: its range, its length and its number of items.
 * @param notEmpty text for a string that needs at least one character
 */
export const boundsOf = (schema: JsonSchema, notEmpty = ''): string => {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  return joined([
    range(minimum, maximum, ''),
    minLength === 1 && maxLength === undefined ? notEmpty : range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
  ])
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && min === max) return `exactly ${min}${unit}`
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`
  if (max !== undefined) return `at most ${max}${unit}`
  return min === undefined ? '' : `at least ${min}${unit}`
}

/** Describes an operation below its options: its limits, its answers and an example. */
export function describeOperation(name: string, operation: Operation): string {
  const { id, method, path, limits = [], success, errors } = operation
  const statuses = Object.entries({ [success.status]: 'Success.', ...errors })
  return [
    '',
    `${id}, ${method} ${path}`,
    ...(limits.length > 0 ? ['', ...limits] : []),
    '',
    'Answers:',
    ...statuses.map(([status, cause]) => `  ${status}  ${cause}`),
    '',
    'Example:',
    `  ${commandCall} ${exampleOf(name, operation).map(quote).join(' ')}`,
  ].join('\n')
}

/** Returns the contract's example as command-line arguments. */
export function exampleOf(name: string, operation: Operation): string[] {
  const { request } = operation.example
  const flags = flagsOf(operation)
  const options = flags.flatMap((flag) => {
    const value = valueAt(request, flag.path)
    if (value === undefined) return []
    if (flag.kind === 'list') return (value as readonly string[]).flatMap((item) => [`--${flag.name}`, item])
    if (flag.kind === 'object') return Object.keys(value as object).length > 0 ? [] : [`--${flag.name}`]
    return [`--${flag.name}`, flag.kind === 'json' ? JSON.stringify(value) : String(value)]
  })
  return ['platform', name, ...options, '--json']
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)

/** Quotes a word for a shell if necessary. */
const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
