/** The part of JSON Schema that the form of a show needs. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** A path in a document: names of fields and indexes of items. */
export type Path = readonly (string | number)[]

/** Formats a path as the problems of the API do: `recordings[1].name`. */
export const pathText = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a document with another value at a path; `undefined` removes a field or an item. */
export function withValue(document: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(document)) {
    const index = Number(step)
    if (rest.length === 0 && value === undefined) return document.toSpliced(index, 1)
    return Object.assign([...document], { [index]: withValue(document[index], rest, value) })
  }
  const fields = isFields(document) ? document : {}
  const next = withValue(fields[String(step)], rest, value)
  const { [String(step)]: _, ...others } = fields
  return next === undefined ? others : { ...fields, [String(step)]: next }
}

/** Returns the value with which a field is added to a document. */
export function initialOf(schema: Schema): unknown {
  const { anyOf, type, properties = {}, required = [], items, minimum } = schema
  if (schema.default !== undefined && !isFields(schema.default) && !Array.isArray(schema.default)) return schema.default
  if (schema.enum) return schema.enum[0]
  if (anyOf?.[0]) return initialOf(anyOf[0])
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, initialOf(properties[name] ?? {})]))
  if (type === 'array') return items ? [initialOf(items)] : []
  if (type === 'boolean') return true
  return type === 'integer' || type === 'number' ? (minimum ?? 0) : type === 'null' ? null : ''
}

/** Returns the index of the form of `anyOf` that a value has: the first whose type and required fields fit. */
export function formOf(forms: readonly Schema[], value: unknown): number {
  const fits = ({ type, required = [], properties = {} }: Schema) => {
    if (isFields(value))
      return (
        type === 'object' &&
        required.every((name) => name in value) &&
        Object.keys(value).every((name) => name in properties)
      )
    if (value === null) return type === 'null'
    return typeof value === 'number' ? type === 'integer' || type === 'number' : type === typeof value
  }
  return Math.max(0, forms.findIndex(fits))
}

/** Names a form of `anyOf`: its required fields, or its type. */
export const formLabel = ({ type, required }: Schema): string =>
  required && required.length > 0 ? `with ${required.join(', ')}` : type === 'null' ? 'none' : (type ?? 'other')

/** Removes fields whose value is their default, so that the document of an earlier show is short. */
export function withoutDefaults(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(schema.items ?? {}, item))
  if (!isFields(value)) return value
  const known = schema.properties ?? schema.anyOf?.[formOf(schema.anyOf, value)]?.properties ?? {}
  const required = schema.required ?? []
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const field = known[name] ?? {}
      const short = withoutDefaults(field, one)
      const isDefault = field.default !== undefined && JSON.stringify(short) === JSON.stringify(field.default)
      return isDefault && !required.includes(name) ? [] : [[name, short]]
    }),
  )
}
