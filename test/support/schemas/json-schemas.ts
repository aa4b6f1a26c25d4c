import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** A schema with the definitions that it refers to. */
export interface Definitions {
  readonly [name: string]: JsonSchema
}

type Compile = (schema: JsonSchema) => ValidateFunction

const compilers = new WeakMap<Definitions, Compile>()

/** Returns the compiler of schemas that refer to these definitions. */
export function compilerOf(definitions: Definitions): Compile {
  const known = compilers.get(definitions) ?? createCompiler(definitions)
  compilers.set(definitions, known)
  return known
}

/** `uri` stays an annotation, because zod also takes IRIs. */
function createCompiler(definitions: Definitions): Compile {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv, ['date', 'date-time', 'ipv4', 'ipv6'])
  ajv.addFormat('uri', true)
  const repoint = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replace(/"#\/(?:components\/schemas|\$defs)\//g, '"definitions#/$defs/'))
  ajv.addSchema(repoint({ $id: 'definitions', $defs: definitions }))
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile(repoint(schema))
    compiled.set(schema, validate)
    return validate
  }
}

/** Returns the definition that a schema refers to, or the schema. */
export function resolve(schema: JsonSchema, definitions: Definitions): JsonSchema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.replace(/^.*\//, '')
  const found = definitions[name]
  if (!found) throw new Error(`The document has no schema ${name}.`)
  return resolve(found, definitions)
}
