import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { z } from 'zod'
import type { QueryOf, RouteKey } from '../../lib/api/api.ts'
import type { JoinRoute } from '../../lib/api/invitations.ts'
import type { Services } from '../../lib/services.ts'
import { archiveIdPattern, idPattern } from '../../lib/show/document/fields/names.ts'
import { findMalformation } from '../../lib/show/document/json-guard.ts'
import { messageOf, type Problem, problemsIn } from '../../lib/show/document/problems.ts'
import type { Log } from '../middleware/log.ts'
import { ApiProblem, protection, varying } from './problem.ts'

export type ApiEvent = APIGatewayProxyEventV2WithJWTAuthorizer

/** Characters of a subject (OpenID Connect Core 1.0, section 2). */
const MAX_SUBJECT = 255

/** The parsed request that a route gets beside the event and the services. */
export interface Asked<Key extends RouteKey = RouteKey> {
  readonly query: QueryOf<Key>
  readonly log: Log
}

/** The routes that the API's function serves. */
export type Routes = {
  readonly [Key in Exclude<RouteKey, JoinRoute>]: (
    event: ApiEvent,
    services: Services,
    asked: Asked<Key>,
  ) => Promise<APIGatewayProxyStructuredResultV2>
}

/** Bytes of a body, except of a show. */
const MAX_BYTES = 65_536

/**
 * Reads a JSON body that the route requires.
 * @param maxBytes checked before parsing
 * @throws {@link ApiProblem} when it is missing, too large or malformed
 */
export function readJson(event: ApiEvent, maxBytes: number): unknown {
  const text = textOf(event)
  if (!text) throw new ApiProblem('missing-body', 'The request has no body. Send a JSON document.')
  refuseOtherType(event, JSON_TYPE)
  refuseLonger(text, maxBytes)
  return parseJson(text)
}

/** Returns the JSON body as its schema parses it. @default {} */
export function readBody<Schema extends z.ZodType>(event: ApiEvent, schema: Schema): z.output<Schema> {
  const text = textOf(event) || '{}'
  if (event.body) refuseOtherType(event, JSON_TYPE)
  refuseLonger(text, MAX_BYTES)
  return parse(schema, parseJson(text), 'body')
}

const JSON_TYPE = 'application/json'

/** @throws {@link ApiProblem} for a body of another type. Without a Content-Type, the body decides. */
export function refuseOtherType({ headers }: ApiEvent, wanted: string): void {
  const given = headers['content-type']
  const type = given?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || type === wanted || (wanted === JSON_TYPE && /^application\/[\w.-]+\+json$/.test(type)))
    return
  throw new ApiProblem(
    'unsupported-media-type',
    `The Content-Type is ${given}. Send the body as ${wanted}.`,
    undefined,
    {
      accept: wanted,
    },
  )
}

function refuseLonger(text: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes)
    throw new ApiProblem('body-too-large', `The body has ${bytes} bytes. At most ${maxBytes} are accepted.`)
}

/** Returns the query as its schema parses it. API Gateway joins repeated parameters by commas, so they are refused. */
export const readQuery = <Schema extends z.ZodType>({ queryStringParameters }: ApiEvent, schema: Schema) =>
  parse(schema, queryStringParameters ?? {}, 'query')

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, what: 'body' | 'query'): z.output<Schema> {
  const refuse = (problems: readonly Problem[]) =>
    new ApiProblem(
      what === 'body' ? 'invalid-body' : 'invalid-query',
      `The ${what} is not valid; see problems.`,
      problems,
    )
  const malformed = findMalformation(value)
  if (malformed) throw refuse([malformed])
  const parsed = schema.safeParse(value, { error: messageOf })
  if (parsed.success) return parsed.data
  throw refuse(problemsIn(parsed.error.issues, `this ${what}`))
}

/** Returns the body as the client sent it. */
export const textOf = ({ body, isBase64Encoded }: ApiEvent) =>
  body && isBase64Encoded ? Buffer.from(body, 'base64').toString() : body

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiProblem('malformed-json', `The body is not JSON (${(error as Error).message}).`)
  }
}

/** Returns the show that the path names, which need not exist. @throws {@link ApiProblem} for an id of another form */
export function showIdOf({ pathParameters }: ApiEvent): string {
  const showId = pathParameters?.id ?? ''
  if (!idPattern.test(showId)) throw noShow(showId)
  return showId
}

export const noShow = (showId: string) => new ApiProblem('unknown-show', `There is no show ${showId}.`)

/** Returns the archive that the path names, which need not exist. @throws {@link ApiProblem} for an id of another form */
export function archiveIdOf({ pathParameters }: ApiEvent): string {
  const archiveId = pathParameters?.archiveId ?? ''
  if (!archiveIdPattern.test(archiveId)) throw noRecording(archiveId)
  return archiveId
}

export const noRecording = (archiveId: string) =>
  new ApiProblem('unknown-recording', `There is no recording ${archiveId}.`)

/** Returns an id for the caller's Idempotency-Key, in the form of a show's id; undefined without a key. */
export function idempotencyIdOf(event: ApiEvent): string | undefined {
  const key = event.headers['idempotency-key']
  if (key === undefined) return undefined
  if (key.length < 1 || key.length > 255)
    throw new ApiProblem('invalid-idempotency-key', 'Idempotency-Key must have 1 to 255 characters.')
  return createHash('sha256')
    .update(JSON.stringify([callerOf(event) ?? '', key]))
    .digest('hex')
    .slice(0, 40)
}

/** Returns the id of a clip that a request orders: the same one for the same Idempotency-Key. */
export const clipIdOf = (event: ApiEvent, { newId }: Pick<Services, 'newId'>): string =>
  (idempotencyIdOf(event) ?? newId().replaceAll('-', '')).slice(0, 16)

/** Returns the subject of the token; undefined on a route without authorization, or when the token has none. */
export function callerOf({ requestContext }: Pick<ApiEvent, 'requestContext'>): string | undefined {
  const { sub } = requestContext.authorizer?.jwt?.claims ?? {}
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT ? sub : undefined
}

export const pageOptionsOf = ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => ({
  limit,
  ...(cursor && { after: cursor }),
})

/** @param headers more headers of the answer, such as its Location */
export const ok = (body: unknown, statusCode = 200, headers: Readonly<Record<string, string>> = {}) => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...protection, ...varying, ...headers },
  body: JSON.stringify(body),
})

/** Seconds after which a caller may poll what a request has begun. */
const POLL_AFTER = 2

/** Headers of an answer to a request whose work has begun. @param location path of what the caller polls */
export const polledAt = (location: string) => ({ location, 'retry-after': String(POLL_AFTER) })
