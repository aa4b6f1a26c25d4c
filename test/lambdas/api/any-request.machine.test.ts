import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { handler as apiHandler } from '../../../lambdas/api/api.ts'
import { handler as joinHandler } from '../../../lambdas/join/join.ts'
import { handler as callbackHandler } from '../../../lambdas/operations/receive-callback.ts'
import { joinRoutes } from '../../../lib/api/invitations.ts'
import { compilerOf, type JsonSchema } from '../../support/schemas/json-schemas.ts'
import { mutated } from '../../support/schemas/mutated.ts'
import { valuesOf } from '../../support/schemas/values.ts'
import { invoke, openWorld, type World } from '../../support/world.ts'
import { bringLive, bringWaiting } from './call.ts'
import { archiveId, manifest } from './recordings/recording.ts'

interface Media {
  readonly schema?: JsonSchema
  readonly example?: unknown
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >
}

const api: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
} = JSON.parse(readFileSync(new URL('../../../docs/showrunner-api.json', import.meta.url), 'utf8'))

const { schemas: definitions } = api.components
const validatorOf = compilerOf(definitions)
const runs = { seed: 20_261_124, numRuns: 40 }

const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)

/** A request as API Gateway passes it on, after it has checked that a token is valid. */
interface Drawn {
  readonly method: string
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | undefined
  /** Roles in the claim of the token; undefined without the claim. */
  readonly scope: string | undefined
}

const text = fc.string({ unit: 'grapheme', maxLength: 70 })
const segment = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 70 })
/** Ids of the world, and others. */
const ids = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('live', 'waiting', archiveId, 'program', 'speakers', 'de', 'all') },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom('none', '..', 'a'.repeat(65), '%', 'A_'), segment) },
)
const schemaValue = (schema: JsonSchema) =>
  valuesOf(schema, { definitions, isLoose: true }).map((value) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  )

const toText = (value: unknown) => JSON.stringify(value) ?? ''

function bodiesOf({ requestBody }: Operation): fc.Arbitrary<string | undefined> {
  const media = Object.values(requestBody?.content ?? {})
  const own = media.flatMap(({ schema, example }) =>
    schema?.type === 'string'
      ? [fc.constant(String(example)), text]
      : [fc.constant(example), mutated(example), valuesOf(schema ?? {}, { definitions, isLoose: true })].map((one) =>
          one.map(toText),
        ),
  )
  const tooLarge = fc.constant(toText('a'.repeat(300_000)))
  const any = fc.oneof(fc.constant(undefined), fc.constant(''), text, fc.json(), tooLarge)
  return own.length === 0 ? any : fc.oneof(...own.map((arbitrary) => ({ weight: 4, arbitrary })), any)
}

function requestsOf(key: string, operation: Operation): fc.Arbitrary<Drawn> {
  const [method = '', path = ''] = key.split(' ')
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const queries = operation.parameters.filter((one) => one.in === 'query')
  const needed = operation.security.flatMap((one) => Object.values(one).flat())
  const types = Object.keys(operation.requestBody?.content ?? {})
  const record = (entries: [string, fc.Arbitrary<string>][]) =>
    fc.record(Object.fromEntries(entries), { requiredKeys: [], noNullPrototype: true })
  return fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
    ),
    parameters: fc.record(Object.fromEntries(placeholders.map((name) => [name, ids]))),
    query: fc.oneof(
      { weight: 3, arbitrary: record(queries.map(({ name, schema }) => [name, schemaValue(schema)])) },
      { weight: 1, arbitrary: record([...queries.map(({ name }) => name), 'other'].map((name) => [name, text])) },
    ),
    headers: record([
      ['content-type', fc.constantFrom(...types, 'application/json; charset=utf-8', 'text/plain', '')],
      ['idempotency-key', fc.oneof(fc.constantFrom('a', ''), fc.string({ maxLength: 300 }))],
      ['if-none-match', fc.oneof(fc.constantFrom('*', '"a"', 'W/"a", "b"'), text)],
      ['authorization', fc.constantFrom('Bearer a.b.c', 'Basic', '')],
    ]),
    body: bodiesOf(operation),
    scope: fc.oneof(
      { weight: 9, arbitrary: fc.constant(needed.join(' ')) },
      { weight: 1, arbitrary: fc.constantFrom('showrunner/viewer', 'showrunner/other', '', undefined) },
    ),
  })
}

/** Opens a world with a live show, one that waits for its audience, and a recording. */
async function openShows() {
  const world = openWorld({ JOIN_URL: 'https://events.example.com/join' })
  await bringLive(world, undefined, 'live')
  await bringWaiting(world, undefined, 'waiting')
  await world.services.records.writeManifest(manifest, async () => true)
  return world
}

const handlerOf = (key: string) => {
  if (key.endsWith('/callbacks/{kind}')) return callbackHandler
  return joinRoutes[key as keyof typeof joinRoutes] ? joinHandler : apiHandler
}

/** Sends a request to a path. One whose method has no route arrives at the route `$default`. */
async function send({ services }: World, path: string, drawn: Drawn) {
  const { method, parameters, query, headers, body, scope } = drawn
  const rawPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
  const isRouted = api.paths[path]?.[method.toLowerCase()] !== undefined
  const event = {
    version: '2.0',
    routeKey: isRouted ? `${method} ${path}` : '$default',
    rawPath,
    headers,
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    requestContext: {
      domainName: 'api.example.com',
      http: { method, path: rawPath },
      authorizer: { jwt: { claims: { sub: 'app', ...(scope !== undefined && { scope }) }, scopes: null } },
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  }
  return (await invoke(handlerOf(event.routeKey), services, event)) as {
    readonly statusCode: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

describe('the API', () => {
  it.each(operations)('answers any request to %s as its document says', async (key, own) => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const [, path = ''] = key.split(' ')
    const world = await openShows()
    const holds = async (drawn: Drawn) => {
      const { statusCode, headers, body } = await send(world, path, drawn)
      const operation = drawn.method === key.split(' ')[0] ? own : api.paths[path]?.[drawn.method.toLowerCase()]
      if (!operation) {
        expect(statusCode).toBe(405)
        return
      }
      const response = operation.responses[statusCode]
      expect(statusCode, body).toBeLessThan(500)
      expect(response, `${statusCode} ${body}`).toBeDefined()
      const type = headers['content-type']?.split(';')[0] ?? ''
      if (!response?.content) {
        expect(body ?? '').toBe('')
        return
      }
      expect(Object.keys(response.content)).toContain(type)
      if (!type.endsWith('json')) return
      const answered = JSON.parse(body)
      const validate = validatorOf(response.content[type]?.schema ?? {})
      expect(validate(answered), `${JSON.stringify(validate.errors)} ${body}`).toBe(true)
      if (statusCode >= 400) expect(response.description).toContain(`\`${answered.code}\``)
    }
    try {
      await fc.assert(fc.asyncProperty(requestsOf(key, own), holds), runs)
    } finally {
      vi.restoreAllMocks()
      await world.close()
    }
  })
})
