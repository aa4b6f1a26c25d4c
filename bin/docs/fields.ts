import type { JsonSchema } from '../../lib/platform/contract/operations/openapi.ts'
import { boundsOf } from '../platform/help.ts'
import { code, prose, table } from './markdown.ts'

/** A field of a document at any depth: `outputs.rtmp[].id`. */
interface Field {
  readonly path: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** The form that has the field, if the document has several forms. */
  readonly form: string
}

/** Renders a reference to a type that is described elsewhere. @default its name */
export type Refer = (reference: string) => string

const nameAlone: Refer = (reference) => reference.replace(/^.*\//, '')

/** Returns one row per field of a schema, including fields of inner objects and lists. */
export function fieldRows(schema: JsonSchema, refer: Refer = nameAlone): string[][] {
  return fieldsOf(schema, '').map(({ path, schema: field, required, form }) => [
    code(path),
    typeOf(field, refer),
    field.default === undefined ? (required ? 'required' : '') : code(JSON.stringify(field.default)),
    notesOn(field, form),
  ])
}

const fieldHeadings = ['Field', 'Type', 'Default', 'Notes']

function notesOn(field: JsonSchema, form: string): string {
  const limits = [boundsOf(field, 'not empty'), field.pattern && !isUrl(field) && code(field.pattern), form]
    .filter(Boolean)
    .join('; ')
  if (!field.description) return limits
  return prose(field.description) + (limits && ` (${limits})`)
}

/** Renders the fields of a schema as a table, or its type if it has no fields. */
export function fieldTable(schema: JsonSchema, refer?: Refer): string {
  const rows = fieldRows(schema, refer)
  return rows.length > 0 ? table(fieldHeadings, rows) : `${typeOf(schema, refer)}.`
}

const formsOf = ({ anyOf, oneOf }: JsonSchema) => (anyOf ?? oneOf ?? []) as JsonSchema[]

function fieldsOf(schema: JsonSchema, prefix: string): Field[] {
  const forms = formsOf(schema).filter((form) => form.type !== 'null')
  if (forms.length === 1) return fieldsOf(forms[0] as JsonSchema, prefix)
  if (forms.length > 1) return fieldsOfForms(forms, prefix)
  if (schema.items) return fieldsOf(schema.items as JsonSchema, `${prefix}[]`)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix ? `${prefix}.${name}` : name
    const required = schema.required?.includes(name) ?? false
    return [{ path, schema: property as JsonSchema, required, form: '' }, ...fieldsOf(property as JsonSchema, path)]
  })
}

/** Returns the fields of all forms, each once, and marks those that only some forms have. */
function fieldsOfForms(forms: readonly JsonSchema[], prefix: string): Field[] {
  const tag = discriminatorOf(forms)
  const all = forms.map((form) => fieldsOf(form, prefix))
  const found = new Map<string, Field>()
  for (const [index, fields] of all.entries())
    for (const field of fields) {
      if (found.has(field.path)) continue
      const alike = all.map((others) => others.find(({ path }) => path === field.path))
      const everywhere = alike.every((other) => other !== undefined)
      const isInner = field.path.slice(prefix.length + 1).includes('.')
      const isTag = tag !== undefined && field.path === `${prefix ? `${prefix}.` : ''}${tag}`
      found.set(field.path, {
        ...field,
        ...(isTag && { schema: { enum: forms.map((form) => tagOf(form, tag) as string) } }),
        required: field.required && (everywhere || isInner || tag !== undefined),
        form: everywhere ? field.form : tag ? `with ${tag} ${code(tagOf(forms[index], tag))}` : 'only in some forms',
      })
    }
  return [...found.values()]
}

const tagOf = (form: JsonSchema | undefined, tag: string) => (form?.properties?.[tag] as JsonSchema | undefined)?.const

/** Returns the field whose fixed value distinguishes the forms. */
const discriminatorOf = (forms: readonly JsonSchema[]) =>
  Object.keys(forms[0]?.properties ?? {}).find((name) => forms.every((form) => tagOf(form, name) !== undefined))

const isUrl = ({ format }: JsonSchema) => format === 'uri'

function typeOf(schema: JsonSchema, refer: Refer = nameAlone): string {
  const { $ref, const: fixed, enum: values, type, format, items, additionalProperties } = schema
  if ($ref) return refer($ref)
  if (fixed !== undefined) return code(fixed)
  if (values) return values.map((value) => code(value)).join(', ')
  const forms = formsOf(schema).map((form) => typeOf(form, refer))
  if (forms.length > 0) return [...new Set(forms)].join(' or ')
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array') return `list of ${items ? typeOf(items as JsonSchema, refer) : 'anything'}`
  const isMap = type === 'object' && !schema.properties && typeof additionalProperties === 'object'
  if (isMap && Object.keys(additionalProperties).length > 0) return `map of ${typeOf(additionalProperties, refer)}`
  if (isUrl(schema)) return 'URL'
  if (format === 'date-time') return 'time'
  return type ?? 'anything'
}
