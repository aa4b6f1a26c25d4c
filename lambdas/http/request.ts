import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda'
import type { z } from 'zod'
import type { QueryOf, RouteKey } from '../../lib/api/api.ts'
import { idPattern } from '../../lib/show/document/fields/names.ts'
import { findMalformation } from '../../lib/show/document/json-guard.ts'
import { messageOf, type Problem, problemsIn } from '../../lib/show/document/problems.ts'
import type { Log } from '../middleware/log.ts'
import { ApiProblem, protection } from './problem.ts'

export type ApiEvent = APIGatewayProxyEventV2WithJWTAuthorizer

/** Characters of a subject (OpenID Connect Core 1.0, section 2). */
const MAX_SUBJECT = 255

/** What a route is given beside the event and the services. */
export interface Asked<Key extends RouteKey = RouteKey> {
  readonly query: QueryOf<Key>
  readonly log: Log
}

/** Bytes of a body, but of a show. */
const MAX_BYTES = 65_536

/** Reads the JSON body. @throws ApiProblem 400 without one, 413 when it has more bytes than `most`, before it is parsed */
export function readJson(event: ApiEvent, most: number): unknown {
  const text = textOf(event)
  if (!text) throw new ApiProblem(400, 'The request has no body: send a JSON document.')
  refuseLonger(text, most)
  return parseJson(text)
}

/** The JSON body as a schema has it; without a body as if it were `{}`. */
export function readBody<Schema extends z.ZodType>(event: ApiEvent, schema: Schema): z.output<Schema> {
  const text = textOf(event) || '{}'
  refuseLonger(text, MAX_BYTES)
  return parse(schema, parseJson(text), 'body')
}

function refuseLonger(text: string, most: number): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > most) throw new ApiProblem(413, `The body has ${bytes} bytes: at most ${most} are taken.`)
}

/** The query as a schema has it; a parameter that is given twice comes joined by commas and is refused as such. */
export const readQuery = <Schema extends z.ZodType>({ queryStringParameters }: ApiEvent, schema: Schema) =>
  parse(schema, queryStringParameters ?? {}, 'query')

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, what: 'body' | 'query'): z.output<Schema> {
  const refuse = (problems: readonly Problem[]) =>
    new ApiProblem(400, `The ${what} is not valid; see problems.`, problems)
  const deformed = findMalformation(value)
  if (deformed) throw refuse([deformed])
  const parsed = schema.safeParse(value, { error: messageOf })
  if (parsed.success) return parsed.data
  throw refuse(problemsIn(parsed.error.issues, `this ${what}`))
}

/** The body as it was sent. */
export const textOf = ({ body, isBase64Encoded }: ApiEvent) =>
  body && isBase64Encoded ? Buffer.from(body, 'base64').toString() : body

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiProblem(400, `The body is not JSON (${(error as Error).message}).`)
  }
}

/** The show that the path names, which need not exist; an id of another form is answered as one that does not. */
export function showIdOf({ pathParameters }: ApiEvent): string {
  const showId = pathParameters?.id ?? ''
  if (!idPattern.test(showId)) throw noShow(showId)
  return showId
}

export const noShow = (showId: string) => new ApiProblem(404, `There is no show ${showId}.`)

/** What the caller's Idempotency-Key stands for, in the form of a show's id; undefined without a key. */
export function idempotencyIdOf(event: ApiEvent): string | undefined {
  const key = event.headers['idempotency-key']
  if (key === undefined) return undefined
  if (key.length < 1 || key.length > 255) throw new ApiProblem(400, 'Idempotency-Key must have 1 to 255 characters.')
  return createHash('sha256')
    .update(JSON.stringify([callerOf(event) ?? '', key]))
    .digest('hex')
    .slice(0, 40)
}

/** Returns the caller: the token's subject; undefined where a route asks for no token, or the token names none. */
export function callerOf({ requestContext }: Pick<ApiEvent, 'requestContext'>): string | undefined {
  const { sub } = requestContext.authorizer?.jwt?.claims ?? {}
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT ? sub : undefined
}

/** A page of a list as the records take it. */
export const pageOf = ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => ({
  limit,
  ...(cursor && { after: cursor }),
})

export const ok = (body: unknown, statusCode = 200) => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...protection },
  body: JSON.stringify(body),
})
