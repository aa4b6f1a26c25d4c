import type { z } from 'zod'
import { gatewayRefusal, problem } from '../../lib/api/answers.ts'
import { apiRoutes, problemsOf, type RouteDefinition, type RouteKey } from '../../lib/api/api.ts'
import { apiExamples } from '../../lib/api/examples.ts'
import { type ProblemType, problemTypes } from '../../lib/api/problem-types.ts'
import { nothing } from '../../lib/api/queries.ts'
import { retryAfterOf } from '../../lib/api/retry-after.ts'
import { type Role, roles } from '../../lib/api/roles.ts'
import { routeDescriptions } from '../../lib/api/route-descriptions.ts'
import { CALLBACK_ROUTE, receivers } from '../../lib/events/platform-events.ts'
import { languageTag } from '../../lib/media/captions/language.ts'
import { callbacks } from '../../lib/platform/contract/callbacks.ts'
import { type JsonSchema, jsonSchemaOf, referToComponents } from '../../lib/platform/contract/operations/openapi.ts'
import { clipIdPattern } from '../../lib/show/document/fields/names.ts'
import { show } from '../../lib/show/document/show.ts'
import { resourceTags, tagOfRoute } from './showrunner-client.ts'

type Refer = (schema: z.ZodType) => JsonSchema

/** The show document has its own name, because several routes refer to it. */
const SHOW_DOCUMENT = 'ShowDocument'
const elsewhere = new Map<unknown, string>([[show, `#/components/schemas/${SHOW_DOCUMENT}`]])

/** Describes Showrunner's HTTP API in OpenAPI 3.1. */
export function describeApi() {
  const { $schema: _, ...document } = jsonSchemaOf(show)
  const schemas: Record<string, JsonSchema> = {}
  const refer: Refer = (schema) => referToComponents(jsonSchemaOf(schema, elsewhere), schemas)
  schemas[SHOW_DOCUMENT] = referToComponents(document, schemas)
  const paths: Record<string, Record<string, object>> = {}
  const add = (key: string, operation: object) => {
    const [method = '', path = ''] = key.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const key of Object.keys(apiRoutes) as RouteKey[]) add(key, describeRoute(key, refer))
  add(CALLBACK_ROUTE, describeCallbacks(refer))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Showrunner',
      version: '1',
      description: [
        'Starts live video shows, follows and controls them, and finds their recordings.',
        'Functions answer errors with a problem document (RFC 9457).',
        'API Gateway itself answers with `{ "message": … }` as application/json, because HTTP APIs have no gateway responses.',
        'It does so before it calls a function (401, 403 by scope, 404 for an unknown path, 413, 429), and when a function gives',
        'no answer (500, 503). So read the status first. The lengths of texts are counted in UTF-16 code units.',
        'Generated from lib/api/api.ts.',
      ].join(' '),
    },
    servers: [{ url: '{apiUrl}', variables: { apiUrl: { default: 'https://api.example.com' } } }],
    tags: [...resourceTags, CALLBACK_TAG],
    paths,
    components: {
      securitySchemes: { token: securityScheme },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

/** The tag of what the video platform calls. */
const CALLBACK_TAG = { name: 'Callbacks', description: 'Receive what the video platform reports. Apps do not call it.' }

/** Returns the scope that holds a role by default. */
const scopeOf = (role: string) => `showrunner/${role}`

const securityScheme = {
  type: 'oauth2',
  description: [
    'A token of the deployment’s OIDC issuer for its audience, a JWT signed with RS256, sent as `Authorization: Bearer`.',
    'A claim of it holds the role of its bearer. The default is `scope`; the deployment may name another, and other values.',
    'Each role includes those before it. Apps usually get tokens by their client credentials; any grant of the issuer works.',
  ].join(' '),
  flows: {
    clientCredentials: {
      tokenUrl: 'https://issuer.example.com/oauth2/token',
      scopes: Object.fromEntries(Object.entries(roles).map(([role, what]) => [scopeOf(role), what])),
    },
  },
}

function describeRoute(key: RouteKey, refer: Refer): object {
  const route: RouteDefinition = apiRoutes[key]
  const { operation, summary, role, body, text, isKeyed, answers } = route
  const example = apiExamples[key]
  const isRead = key.startsWith('GET ')
  return {
    operationId: operation,
    summary,
    description: routeDescriptions[key],
    tags: [tagOfRoute(key)],
    security: role === 'anybody' ? [] : [{ token: [scopeOf(role satisfies Role)] }],
    parameters: [
      ...pathParameters(key),
      ...queryParameters(route, refer),
      ...(isKeyed ? [idempotencyKey] : []),
      ...(isRead ? [ifNoneMatch] : []),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: refer(body), example: example.body } },
      },
    }),
    ...(text && {
      requestBody: {
        required: true,
        description: text.description,
        content: { [text.mediaType]: { schema: { type: 'string' }, example: example.body } },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, schema]) => [status, success(status, schema)])),
      ...(isRead && { 304: { description: 'The caller has this version, by If-None-Match.', headers: versioned } }),
      ...Object.fromEntries(
        Object.entries({
          ...describeProblems(problemsOf(key)),
          ...(role !== 'anybody' && unauthorized),
          ...byGateway,
        }).map(([status, description]) => [status, refusal(status, description)]),
      ),
    },
  }

  function success(status: string, schema: z.ZodType): object {
    const isExample = schema.safeParse(example.answer).success
    const content = { schema: refer(schema), ...(isExample && { example: example.answer }) }
    const description = status === '202' ? 'Accepted: the work has begun.' : 'Done.'
    const headers = status === '202' ? polled : isRead ? versioned : undefined
    const { alternative } = apiRoutes[key] as RouteDefinition
    const other = alternative && {
      [alternative.mediaType]: { schema: { type: 'string', description: alternative.description } },
    }
    return { description, ...(headers && { headers }), content: { 'application/json': content, ...other } }
  }

  /** Answers of API Gateway have no such header. */
  function asksForPatience(status: string): boolean {
    return problemsOf(key).some((type) => String(problemTypes[type].status) === status && retryAfterOf(type))
  }

  function refusal(status: string, description: string): object {
    const own = { 'application/problem+json': { schema: refer(problem) } }
    const gateways = { 'application/json': { schema: refer(gatewayRefusal) } }
    if (GATEWAY.includes(status)) return { description, content: gateways }
    const headers = asksForPatience(status) && { headers: { 'Retry-After': polled['Retry-After'] } }
    return { description, ...headers, content: EITHER.includes(status) ? { ...own, ...gateways } : own }
  }
}

/** Returns the problem types of each status, with their meanings. */
const describeProblems = (types: readonly ProblemType[]) =>
  Object.fromEntries(
    Map.groupBy(types, (type) => problemTypes[type].status)
      .entries()
      .map(([status, ofStatus]) => [
        status,
        ofStatus.map((type) => `\`${type}\`: ${problemTypes[type].meaning}`).join(' '),
      ]),
  )

const unauthorized = { 401: 'There is no valid token.' } as const
const byGateway = {
  429: 'Too many requests: wait before the next one.',
  503: 'No function answered within 30 seconds. The request may still have had its effect.',
} as const
/** Statuses of which only API Gateway is the source. */
const GATEWAY = Object.keys({ ...unauthorized, ...byGateway })
/** Statuses of functions that API Gateway also answers: insufficient scopes, and a function that failed. */
const EITHER = ['403', '500']

const PARAMETERS: Readonly<Record<string, object>> = {
  id: { description: 'Id of the show.', schema: { type: 'string', pattern: '^[0-9a-z-]{1,64}$' } },
  name: {
    description: 'Name of the recording in its show.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$' },
  },
  archiveId: {
    description: 'Id of the archive at the platform.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z-]{1,64}$' },
  },
  deliveryId: { description: 'Id of the delivery.', schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } },
  clipId: { description: 'Id of the clip.', schema: { type: 'string', pattern: clipIdPattern.source } },
  language: {
    description: 'A language tag (BCP 47): language, optional script and region, such as en, pt-BR or zh-Hant.',
    schema: { type: 'string', pattern: languageTag.source },
  },
  kind: {
    description: 'The kind that the callback was registered for. Each kind has its own secret.',
    schema: { type: 'string', enum: Object.keys(receivers) },
  },
}

const pathParameters = (key: string) =>
  [...key.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, ...PARAMETERS[name] }))

function queryParameters({ query = nothing }: RouteDefinition, refer: Refer): object[] {
  const { properties = {} } = refer(query)
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
}

const header = (description: string) => ({ description, schema: { type: 'string' } })
const versioned = { ETag: header('The version of the answer.') }
const polled = {
  Location: header('Path of what the caller polls.'),
  'Retry-After': header('Seconds after which the caller may poll.'),
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier answer. If nothing has changed, the answer is 304 without a body.',
  schema: { type: 'string' },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A key that the caller chooses. Requests with the same key have their effect once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function describeCallbacks(refer: Refer): object {
  const refused = (type: ProblemType) => ({
    description: describeProblems([type])[problemTypes[type].status],
    content: { 'application/problem+json': { schema: refer(problem) } },
  })
  return {
    operationId: 'receiveCallback',
    summary: 'Receive a callback of the video platform, and publish it on the stack’s own bus.',
    description: 'Each kind is registered at the platform with its own secret, which signs the callbacks.',
    tags: [CALLBACK_TAG.name],
    security: [],
    parameters: [
      ...pathParameters(CALLBACK_ROUTE),
      {
        name: 'Authorization',
        in: 'header',
        required: true,
        schema: { type: 'string' },
        description: 'A JWT signed with HS256 and the callback’s secret. Its payload_hash is the SHA-256 of the body.',
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { anyOf: Object.values(callbacks).map(({ body }) => refer(body)) },
          example: callbacks.archive.example,
        },
      },
    },
    responses: {
      204: { description: 'Accepted. A repeated callback is published once.' },
      401: refused('untrusted-callback'),
      404: refused('unregistered-callback'),
      422: refused('unknown-callback'),
      429: { description: byGateway[429], content: { 'application/json': { schema: refer(gatewayRefusal) } } },
      500: { description: 'Showrunner fails.', content: { 'application/json': { schema: refer(gatewayRefusal) } } },
      503: { description: byGateway[503], content: { 'application/json': { schema: refer(gatewayRefusal) } } },
    },
  }
}
