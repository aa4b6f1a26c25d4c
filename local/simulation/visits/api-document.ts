import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'

type Schema = Readonly<Record<string, unknown>>

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  readonly headers?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: Pick<Response, 'content'>
  readonly responses: Readonly<Record<string, Response>>
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const DOCUMENT = new URL('../../../docs/showrunner-api.json', import.meta.url)
const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

let document: ReturnType<typeof parse> | undefined

/** Reads the committed description of the API once. */
function readDocument() {
  document ??= parse(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
  return document
}

function parse({ paths, components }: ApiDocument) {
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  )
  return {
    routes: Map.groupBy(routes, ({ method }) => method),
    $defs: repoint(components.schemas),
    bodies: new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: 'api', components }),
  }
}

/** Keywords that zod does not read. A description without them accepts more. */
const UNREAD = ['not', 'if', 'then', 'else']

/** Returns a schema as zod reads it: definitions have another place. */
const repoint = (schema: unknown): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'), (key, value) =>
    UNREAD.includes(key) ? undefined : value,
  )

/** Returns the operation of a request; undefined for a path or a method that the description does not have. */
export function operationOf(method: string, path: string): Operation | undefined {
  const found = readDocument()
    .routes.get(method)
    ?.filter(({ pattern }) => pattern.test(path))
  return (found?.find(({ pattern }) => !pattern.source.includes('[^/]+')) ?? found?.[0])?.operation
}

const validators = new WeakMap<Schema, ValidateFunction>()

/**
 * Returns whether a JSON body fits the description of an operation, without its formats; undefined for an operation without
 * bodies.
 */
export function fitsBody({ requestBody }: Operation, body: unknown): boolean | undefined {
  const schema = requestBody?.content?.['application/json']?.schema
  if (!schema) return undefined
  const validate = validators.get(schema) ?? readDocument().bodies.compile(inApi(schema))
  validators.set(schema, validate)
  return validate(body)
}

/** Returns the names of the parameters of an operation, and of the fields of its body; undefined when that is not JSON. */
export function fieldsOf({ parameters = [], requestBody }: Operation): readonly string[] | undefined {
  const content = requestBody?.content
  if (content && !content['application/json']) return undefined
  return [...parameters.map(({ name }) => name), ...propertiesOf(content?.['application/json']?.schema ?? {})]
}

function propertiesOf({ $ref, properties = {}, anyOf = [] }: Schema): string[] {
  const referred = typeof $ref === 'string' ? readDocument().$defs[$ref.split('/').at(-1) ?? ''] : undefined
  const others = [...(anyOf as Schema[]), ...(referred ? [referred as Schema] : [])]
  return [...Object.keys(properties as object), ...others.flatMap(propertiesOf)]
}

/** Returns a schema whose references lead into the whole description. */
const inApi = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))

interface Answered {
  readonly status: number
  readonly type?: string | undefined
  readonly answer: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const compiled = new WeakMap<Schema, z.ZodType>()

/**
 * Returns what is undocumented about an answer; undefined if nothing is.
 * @param type media type of the answer; undefined to use the documented one
 * @param headers with lowercase names; undefined if they are not known
 */
export function undocumented(
  { responses }: Operation,
  { status, type, answer, headers }: Answered,
): string | undefined {
  const response = responses[status]
  if (!response) return `the status ${status} is not documented`
  const problem = headers && problemOfHeaders(response, status, headers)
  if (problem) return problem
  const { content = {} } = response
  const types = Object.keys(content)
  if (types.length === 0) return answer === '' ? undefined : 'a body is not documented'
  if (type !== undefined && !types.includes(type)) return `the type ${type} is not documented`
  const documented = (type === undefined ? types : [type]).map((one) => content[one]?.schema)
  const schemas = documented.filter((schema) => schema !== undefined)
  if (schemas.length === 0 || (type ?? '').startsWith('text/')) return undefined
  const body = read(answer)
  const problems = schemas.map((schema) => problemOf(schema, body))
  return problems.includes(undefined) ? undefined : problems[0]
}

/** Headers with which a client continues. */
const CONTINUING = ['Location', 'Retry-After', 'ETag']

/**
 * A failure of the platform has no time to wait if it was none of its availability, so a missing header counts for success only.
 */
function problemOfHeaders({ headers = {} }: Response, status: number, given: NonNullable<Answered['headers']>) {
  const of = (name: string) => given[name.toLowerCase()]
  const missing = status < 400 ? Object.keys(headers).find((name) => of(name) === undefined) : undefined
  if (missing) return `the header ${missing} is missing`
  const stranger = CONTINUING.find((name) => of(name) !== undefined && !(name in headers))
  if (stranger) return `the header ${stranger} is not documented`
  const wait = of('Retry-After')
  return wait === undefined || /^\d+$/.test(wait) ? undefined : `the header Retry-After is ${wait}`
}

function problemOf(schema: Schema, body: unknown): string | undefined {
  const kept =
    compiled.get(schema) ??
    z.fromJSONSchema({ $schema: DRAFT, ...repoint(schema), $defs: readDocument().$defs } as never)
  compiled.set(schema, kept)
  const { error } = kept.safeParse(body)
  return error?.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; ')
}

function read(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return undefined
  }
}
