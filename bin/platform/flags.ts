import { isSecretField } from '../../lib/platform/client/http/redaction.ts'
import type { Operation } from '../../lib/platform/contract/operation.ts'
import { argumentsInPath, type JsonSchema, jsonSchemaOf } from '../../lib/platform/contract/operations/openapi.ts'

/** One argument of an operation as a command-line option. */
export interface Flag {
  /** Without the dashes: `sip.observe-force-mute`. */
  readonly name: string
  /** Path of its value in the request: `['sip', 'observeForceMute']`. */
  readonly path: readonly string[]
  /** `list` may be repeated. `object` and `json` are JSON, and the fields of an object also have flags. */
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'object' | 'json'
  readonly schema: JsonSchema
  readonly required: boolean
  readonly secret: boolean
  /** The form of the body that has it, if the body has several forms: `with type s3`, `with addStream`. */
  readonly form?: string
}

/** Returns every argument of an operation in its path, query and body. Inner fields follow their object. */
export function flagsOf(operation: Operation): Flag[] {
  const inPath = argumentsInPath(operation).map(
    (name): Flag => ({ ...flag([name], { type: 'string' }), required: true, secret: false }),
  )
  const inSchema = [operation.query, operation.body].flatMap((schema) => {
    if (!schema) return []
    const described = jsonSchemaOf(schema)
    return fieldsOf(described, [], described.$defs ?? {})
  })
  return [...inPath, ...inSchema]
}

type Definitions = Readonly<Record<string, unknown>>

function fieldsOf(given: JsonSchema, path: readonly string[], definitions: Definitions): Flag[] {
  const schema = resolved(given, definitions)
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (forms) return fieldsOfForms(forms, path, definitions)
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const property = resolved(inner as JsonSchema, definitions)
    if (isExcluded(property)) return []
    const here = [...path, name]
    const own = { ...flag(here, property), required: schema.required?.includes(name) ?? false }
    return own.kind === 'object' ? [own, ...fieldsOf(property, here, definitions)] : [own]
  })
}

/** Returns whether a form excludes a field: no value matches its schema. */
const isExcluded = ({ not }: JsonSchema) => typeof not === 'object' && Object.keys(not as object).length === 0

/** Returns the fields of all forms, each once. */
function fieldsOfForms(forms: readonly JsonSchema[], path: readonly string[], definitions: Definitions): Flag[] {
  const found = new Map<string, Flag>()
  const all = forms.map((form) => fieldsOf(form, path, definitions))
  for (const [index, fields] of all.entries())
    for (const field of fields) {
      const alike = all.flatMap((others) => others.find(({ name }) => name === field.name) ?? [])
      if (found.has(field.name)) continue
      const everywhere = alike.length === forms.length
      const form = everywhere ? undefined : formName(forms[index] as JsonSchema)
      const values = alike.flatMap(({ schema }) => schema.const ?? [])
      found.set(field.name, {
        ...field,
        required: field.required && everywhere,
        ...(values.length > 1 && { schema: { type: 'string', enum: values } }),
        ...(form !== undefined && form !== `with ${field.path.join('.')}` && { form }),
      })
    }
  return [...found.values()]
}

/** Names a form by its fixed value, or by its required fields. */
function formName({ properties = {}, required = [] }: JsonSchema): string {
  const fixed = Object.entries(properties).find(([, property]) => (property as JsonSchema).const !== undefined)
  return fixed ? `with ${fixed[0]} ${(fixed[1] as JsonSchema).const}` : `with ${required.join(', ')}`
}

function resolved(schema: JsonSchema, definitions: Definitions): JsonSchema {
  return schema.$ref ? (definitions[schema.$ref.replace(/^.*\//, '')] as JsonSchema) : schema
}

function flag(path: readonly string[], schema: JsonSchema): Flag {
  const secret = isSecretField(path.at(-1) ?? '')
  return { name: path.map(kebab).join('.'), path, kind: kindOf(schema), schema, required: false, secret }
}

function kindOf({ type, items, properties }: JsonSchema): Flag['kind'] {
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array' && (items as JsonSchema).type === 'string') return 'list'
  return type === 'object' && properties ? 'object' : 'json'
}

/** Converts camel case to kebab case: `observeForceMute` to `observe-force-mute`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
