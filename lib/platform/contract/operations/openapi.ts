import { z } from 'zod'
import { errorBody } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { AUTH_HEADER } from '../tokens.ts'
import { operationGroups, operations } from './operations.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema
type Content = Record<string, { schema: JsonSchema; example?: unknown }>

interface Server {
  readonly url: string
  readonly variables: Readonly<Record<string, { readonly default: string }>>
}

const servers = {
  rest: { url: '{baseUrl}', variables: { baseUrl: { default: 'https://platform.example.com' } } },
  insights: { url: '{insightsUrl}', variables: { insightsUrl: { default: 'https://insights.example.com' } } },
} as const satisfies Record<string, Server>

/** Formats that are described without a pattern. */
const NO_PATTERN = ['date-time', 'ipv6']

/**
 * Converts the input of a schema to JSON Schema 2020-12. Schemas with an id become `$defs`.
 *
 * It omits the bounds of safe integers and the pattern of `date-time`, which are the same everywhere, and that of `ipv6`, which
 * misses embedded IPv4 addresses.
 * @param elsewhere addresses of schemas to refer to instead of describing them
 */
export function jsonSchemaOf(schema: z.ZodType, elsewhere: ReadonlyMap<unknown, string> = new Map()): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const address = elsewhere.get(zodSchema)
      if (address !== undefined) {
        for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
        jsonSchema.$ref = address
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (NO_PATTERN.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern
    },
  })
}

type Described = ReturnType<typeof describeOperation>
type PathItem = Partial<Record<Lowercase<Operation['method']>, Described>> & { servers?: readonly Server[] }

export const placeholdersOf = ({ path }: Pick<Operation, 'path'>) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Returns the placeholders that are arguments of a call. `apiKey` is one only if the account signs. */
export const argumentsInPath = (operation: Pick<Operation, 'path' | 'credentials'>) =>
  placeholdersOf(operation).filter((name) => name !== 'apiKey' || operation.credentials === 'account')

/** Describes the platform in OpenAPI 3.1. `operationId` is the name of the operation. */
export function describePlatform(table: Readonly<Record<string, Operation>> = operations) {
  const schemas: Record<string, JsonSchema> = {}
  const refer = (schema: z.ZodType) => referToComponents(jsonSchemaOf(schema), schemas)
  const paths: Record<string, PathItem> = {}
  for (const [name, operation] of Object.entries(table))
    paths[operation.path] = {
      ...paths[operation.path],
      // All operations of a path are relative to the same URL.
      ...(operation.base && { servers: [servers[operation.base]] }),
      [operation.method.toLowerCase()]: describeOperation(name, operation, refer),
    }
  const signers = new Set(Object.values(table).map(({ credentials = 'project' as const }) => credentials))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Video platform',
      version: '1',
      description: 'The operations of the video platform that Showrunner uses. Generated from lib/platform/contract.',
    },
    servers: [servers.rest],
    tags: Object.entries(operationGroups).map(([name, { purpose }]) => ({ name, description: purpose })),
    paths,
    components: {
      securitySchemes: Object.fromEntries([...signers].map((whose) => [`${whose}Token`, securityScheme(whose)])),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

type Refer = (schema: z.ZodType) => JsonSchema

/** Moves the schema's definitions to the document's components and points its references there. */
export function referToComponents(
  { $schema: _, $defs = {}, ...schema }: JsonSchema,
  components: Record<string, JsonSchema>,
) {
  const repoint = <Schema>(part: Schema): Schema =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [id, definition] of Object.entries($defs)) components[id] = repoint(definition)
  return repoint(schema)
}

function describeOperation(name: string, operation: Operation, refer: Refer) {
  const { id, summary, credentials = 'project', body, encoding, repeatable, success, errors, example } = operation
  const inPath = placeholdersOf(operation)
  const bodyExample = Object.fromEntries(Object.entries(example.request).filter(([field]) => !inPath.includes(field)))
  const mediaType = encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    operationId: name,
    summary,
    description: [...(operation.limits ?? []), repetition(repeatable)].join(' '),
    tags: Object.entries(operationGroups).flatMap(([group, { operations }]) => (name in operations ? [group] : [])),
    'x-number': id,
    'x-repeatable': repeatable,
    security: [{ [`${credentials}Token`]: [] }],
    parameters: parametersOf(operation, refer),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success && !body.safeParse(undefined).success,
        content: { [mediaType]: { schema: refer(body), example: bodyExample } },
      },
    }),
    responses: {
      [success.status]: {
        description: { 200: 'OK.', 202: 'Accepted.', 204: 'Done. The answer has no body.' }[success.status],
        ...(success.response && {
          content: {
            'application/json': { schema: refer(success.response), example: example.response },
            ...(success.unlessJson && { [success.unlessJson]: { schema: { type: 'string' } } }),
          },
        }),
      },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: refer(errorBody) } } },
        ]),
      ),
    } as Record<string, { description: string; content?: Content }>,
  }
}

/** Returns what a caller does after a lost answer. */
const repetition = (repeatable: boolean) =>
  repeatable
    ? 'After a lost answer it can be repeated without harm.'
    : 'After a lost answer, do not repeat it before you have read what it did: it could have its effect twice.'

/** Descriptions of the arguments in paths. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  apiKey: 'Key of the project.',
  sessionId: 'Id of the session.',
  connectionId: 'Id of the client’s connection.',
  streamId: 'Id of the stream.',
  archiveId: 'Id of the archive.',
  broadcastId: 'Id of the broadcast.',
  composerId: 'Id of the composer.',
}

/** Key of the project in examples. */
const PROJECT = '100001'

function parametersOf(operation: Operation, refer: Refer) {
  const { query, example } = operation
  const given: Readonly<Record<string, unknown>> = { apiKey: PROJECT, ...example.request }
  const exampleOf = (name: string) => (name in given ? { example: given[name] } : {})
  const schema = query ? refer(query) : {}
  return [
    ...placeholdersOf(operation).map((name) => ({
      name,
      in: 'path' as const,
      required: true,
      description: ARGUMENTS[name],
      schema: { type: 'string' } as JsonSchema,
      ...exampleOf(name),
    })),
    ...Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
      ([name, { description, ...property }]) => ({
        name,
        in: 'query' as const,
        required: schema.required?.includes(name) ?? false,
        description,
        schema: property as JsonSchema,
        ...exampleOf(name),
      }),
    ),
  ]
}

const securityScheme = (whose: 'project' | 'account') => ({
  type: 'apiKey',
  in: 'header',
  name: AUTH_HEADER,
  description:
    `A JWT signed by HS256 with the ${whose}’s secret: iss is the ${whose}’s key, ist is "${whose}", ` +
    `exp is at most ${limits.tokenLifetime.value} seconds after iat.`,
})
